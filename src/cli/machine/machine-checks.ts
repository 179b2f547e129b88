import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, dataFiles, signInUrl } from '../../config.ts';
import { type Check, type CheckResult, fail, ok, warn } from '../../domain/check-result.ts';
import { isHeldElsewhere } from '../../operations/upkeep/back-up-database.ts';
import type { Platform } from '../../platform.ts';
import { isAddressInUse } from '../command/failure.ts';
import { lookAtSignIn } from './sign-in-check.ts';

/** Below this, the service soon cannot write. */
const FREE_BYTES_MIN = 64 * 1024 * 1024;

/** Enough for 2,000 streams, as many other clients, and the service's own files and sockets. */
const OPEN_FILES_MIN = 4096;

/** Time limit for an answer from the public address, and for a stream's first event. */
const ANSWER_MS = 5000;

export interface Machine {
  readonly config: Config;
  readonly platform: Platform;
  /** Whether a service runs on the data folder. */
  readonly isServing: boolean;
  /** Where it listens, `http://host:port`; null if none runs or it is too old to say. */
  readonly servesAt: string | null;
  /** API key for opening a stream; null if none was given. */
  readonly apiKey: string | null;
}

/** The checks of everything but the data. */
export const MACHINE_CHECKS: readonly Check<Machine>[] = [
  { name: 'data folder', look: lookAtFolder },
  { name: 'free space', look: lookAtSpace },
  { name: 'settings file', look: lookAtSettings },
  { name: 'process', look: lookAtProcess },
  { name: 'port', look: lookAtPort },
  { name: 'public address', look: lookAtPublicUrl },
  { name: 'streams', look: lookAtStreams },
  {
    name: 'sign-in',
    look: ({ config, platform }) =>
      lookAtSignIn(signInUrl(config), (url) => askForJson(url, platform)),
  },
  { name: 'temp folder', look: () => lookAtTempFolder(tmpdir()) },
  { name: 'open files', look: () => lookAtOpenFiles('/proc/self/limits') },
];

function lookAtFolder({ config: { dataFolder, databaseUrl } }: Machine): CheckResult {
  if (!existsSync(dataFolder) && databaseUrl !== null)
    return ok('there is none yet: the data is on a database server');
  if (!existsSync(dataFolder))
    return fail(
      `${dataFolder} does not exist`,
      'run "vitrine init --org NAME", or name the folder with --data',
    );
  const probe = join(dataFolder, '.doctor');
  writeFileSync(probe, '');
  rmSync(probe);
  const isOpen = (statSync(dataFolder).mode & 0o077) !== 0 && process.platform !== 'win32';
  return isOpen
    ? warn(`other users can read ${dataFolder}`, `chmod 700 ${dataFolder}`)
    : ok(`${dataFolder} is writable and private`);
}

function lookAtSpace({ config: { dataFolder, databaseUrl } }: Machine): CheckResult {
  if (databaseUrl !== null) return ok('the data is on a database server');
  if (!existsSync(dataFolder)) return warn('not checked', 'there is no data folder');
  const { bavail, bsize } = statfsSync(dataFolder);
  const databaseBytes =
    statSync(dataFiles(dataFolder).database, { throwIfNoEntry: false })?.size ?? 0;
  return judgeSpace({ freeBytes: bavail * bsize, databaseBytes });
}

export function judgeSpace({
  freeBytes,
  databaseBytes,
}: {
  freeBytes: number;
  databaseBytes: number;
}): CheckResult {
  const free = `${Math.floor(freeBytes / 1e6)} MB are free`;
  if (freeBytes < FREE_BYTES_MIN) return fail(free, 'free some disk space: writes will fail soon');
  if (freeBytes < 2 * databaseBytes)
    return warn(
      `${free}, less than twice the size of the database`,
      'free some disk space: a backup would not fit on this disk',
    );
  return ok(free);
}

function lookAtSettings({ config: { dataFolder } }: Machine): CheckResult {
  const { settings } = dataFiles(dataFolder);
  const mode = statSync(settings, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return ok('there is none: defaults, environment and flags apply');
  return (mode & 0o077) !== 0 && process.platform !== 'win32'
    ? fail(`other users can read ${settings}`, `chmod 600 ${settings}`)
    : ok(`only its owner can read ${settings}`);
}

async function lookAtProcess({ config: { dataFolder }, isServing }: Machine): Promise<CheckResult> {
  if (isServing) return ok('the service is running');
  if (!existsSync(dataFolder)) return ok('no service is running');
  return (await isHeldElsewhere(dataFiles(dataFolder).lock))
    ? fail(
        'another process holds the data folder and does not answer',
        'end that process: it may be a command that hangs',
      )
    : ok('no service is running');
}

async function lookAtPort({
  config: { listen },
  platform,
  isServing,
  servesAt,
}: Machine): Promise<CheckResult> {
  const { hostname, port } = listen;
  const address = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
  if (isServing) {
    const advice = 'run doctor with the settings of the service';
    if (servesAt !== null && new URL(servesAt).port !== `${port}`)
      return warn(`the service listens on ${servesAt}, not on ${address}`, advice);
    return (await isVitrine(`http://${address}`, platform))
      ? ok(`the service answers at ${address}`)
      : warn(`the service does not answer at ${address}`, advice);
  }
  try {
    const listener = await platform.listen({ hostname, port, fetch: async () => new Response() });
    await listener.stop(0);
    return ok(`${address} is free`);
  } catch (error) {
    if (!isAddressInUse(error)) throw error;
    return fail(
      `another program is listening on ${address}`,
      'end that program, or choose another address with --listen',
    );
  }
}

async function lookAtPublicUrl({
  config: { publicUrl },
  platform,
  isServing,
}: Machine): Promise<CheckResult> {
  if (publicUrl === null) return ok('none is set');
  if (await isVitrine(publicUrl, platform)) return ok(`${publicUrl} leads to vitrine`);
  return isServing
    ? fail(
        `${publicUrl} does not lead to vitrine`,
        'check the proxy, its certificate and the DNS record',
      )
    : warn(`${publicUrl} does not answer`, 'start the service, then run doctor again');
}

/**
 * A server that echoes our request id at this path is vitrine, behind proxies that forward headers.
 */
async function isVitrine(url: string, platform: Platform): Promise<boolean> {
  const requestId = platform.newId();
  const response = await ask(`${url}/healthz`, platform, { 'x-request-id': requestId });
  await response?.body?.cancel();
  return response?.status === 200 && response.headers.get('x-request-id') === requestId;
}

/** Null if nothing answers in time. */
async function ask(
  url: string,
  platform: Platform,
  headers: Record<string, string>,
): Promise<Response | null> {
  const late = new AbortController();
  const timeout = platform.sleep(ANSWER_MS, late.signal).then(() => null);
  const answer = fetch(url, { headers, redirect: 'manual', signal: late.signal }).catch(() => null);
  return Promise.race([answer, timeout]);
}

async function askForJson(
  url: string,
  platform: Platform,
): Promise<{ status: number; body: unknown } | null> {
  const response = await ask(url, platform, {});
  if (response === null) return null;
  return { status: response.status, body: await response.json().catch(() => null) };
}

async function lookAtStreams({
  config: { publicUrl },
  platform,
  apiKey,
}: Machine): Promise<CheckResult> {
  if (publicUrl === null) return ok('no public address, so no proxy to delay streams');
  const headers = { accept: 'text/event-stream', ...(apiKey && { 'x-api-key': apiKey }) };
  const response = await ask(`${publicUrl}/mcp`, platform, headers);
  if (response?.status === 404 || response?.status === 405)
    return ok('this service has no streams');
  if (response?.status !== 200 || response.body === null)
    return warn(
      'not checked',
      'set VITRINE_API_KEY to a key with the scope mcp, and run doctor again',
    );
  const reader = response.body.getReader();
  const late = new AbortController();
  const first = await Promise.race([
    reader.read().then(({ done }) => !done),
    platform.sleep(ANSWER_MS, late.signal).then(() => false),
  ]);
  late.abort();
  await reader.cancel();
  return first
    ? ok('the first event of a stream arrives at once')
    : fail('a proxy delays streams', 'turn buffering off for /mcp: "proxy_buffering off" in nginx');
}

/** The binary unpacks its native libraries there and loads them. */
export function lookAtTempFolder(folder: string): CheckResult {
  let probe: string | null = null;
  try {
    probe = mkdtempSync(join(folder, 'vitrine-doctor-'));
    const program = join(probe, 'program');
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
    if (process.platform !== 'win32') execFileSync(program);
    return ok(`${folder} allows programs to run`);
  } catch {
    return fail(
      `${folder} is missing, read-only or mounted noexec`,
      'set TMPDIR to a writable folder that allows programs to run',
    );
  } finally {
    if (probe !== null) rmSync(probe, { recursive: true });
  }
}

/** `limits` is a file in the format of Linux's `/proc/PID/limits`. */
export function lookAtOpenFiles(limits: string): CheckResult {
  if (!existsSync(limits)) return ok('this system does not report a limit');
  const soft = /^Max open files +(\d+)/m.exec(readFileSync(limits, 'utf8'))?.[1];
  if (soft === undefined) return ok('unlimited');
  return Number(soft) < OPEN_FILES_MIN
    ? warn(
        `at most ${soft}`,
        `raise it to ${OPEN_FILES_MIN} or more: LimitNOFILE in systemd, ulimit -n elsewhere`,
      )
    : ok(`at most ${soft}`);
}
