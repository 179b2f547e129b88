import { rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withoutDuplicates } from '../../src/catalog/record/duplicates.ts';
import { openCatalog } from '../../src/cli/command/read-files.ts';
import { type Processes, residentMb, runToEnd } from './processes.ts';
import {
  importCommand,
  type Prepared,
  type Program,
  prepareData,
  startService,
} from './vitrine.ts';

const POLL_MS = 5;

export interface ImportRates {
  readonly file: string;
  readonly megabytes: number;
  readonly rows: number;
  /** Seconds for parsing the rows only. */
  readonly parser: number;
  /** Seconds of the command without a service, including its start. */
  readonly offline: number;
  /** Seconds from the start of the command until a search of the running service finds a word. */
  readonly served: number;
  /** Peak memory of the service above its memory at rest. */
  readonly servedMb: number | null;
}

/** Measures the time from a file on disk to searchable words. Each way uses its own data folder. */
export async function measureImport(
  program: Program,
  { file, word, processes, folder }: ImportBench,
): Promise<ImportRates> {
  const { rows, seconds: parser } = await parse(file);
  const offline = await importOffline(program, { file, folder });
  const { served, servedMb } = await importServed(program, { file, word, processes, folder });
  const megabytes = statSync(file).size / 1e6;
  return { file: basename(file), megabytes, rows, parser, offline, served, servedMb };
}

interface ImportBench {
  readonly file: string;
  /** A word that also appears in the last rows. */
  readonly word: string;
  readonly processes: Processes;
  /** Parent of the data folders. */
  readonly folder: string;
}

async function parse(file: string): Promise<{ rows: number; seconds: number }> {
  const startedMs = performance.now();
  const input = await openCatalog(file, undefined);
  let rows = 0;
  const options = { currency: 'EUR', shopUrl: null, now: Date.now() };
  for await (const row of withoutDuplicates(input.rows(options))) if ('item' in row) rows += 1;
  return { rows, seconds: (performance.now() - startedMs) / 1000 };
}

async function importOffline(
  program: Program,
  { file, folder }: Pick<ImportBench, 'file' | 'folder'>,
): Promise<number> {
  const data = join(folder, 'import-offline');
  await prepareData(program, { data, copyOf: undefined });
  const startedMs = performance.now();
  await runToEnd(importCommand(program, file, data));
  const seconds = (performance.now() - startedMs) / 1000;
  rmSync(data, { recursive: true });
  return seconds;
}

async function importServed(
  program: Program,
  { file, word, processes, folder }: ImportBench,
): Promise<{ served: number; servedMb: number | null }> {
  const data = join(folder, 'import-served');
  const prepared = await prepareData(program, { data, copyOf: undefined });
  const { process, port } = await startService(processes, program, prepared);
  const restMb = residentMb(process.pid);
  let mostMb = restMb;
  const startedMs = performance.now();
  const command = runToEnd(importCommand(program, file, data));
  const found = untilFound(`http://127.0.0.1:${port}/rest/search/v2/?q=${word}`, prepared, () => {
    const nowMb = residentMb(process.pid);
    if (nowMb !== null && nowMb > mostMb!) mostMb = nowMb;
  });
  await Promise.all([command, found]);
  const served = (performance.now() - startedMs) / 1000;
  await processes.stop(process);
  rmSync(data, { recursive: true });
  return { served, servedMb: restMb === null ? null : mostMb! - restMb };
}

async function untilFound(url: string, { apiKey }: Prepared, look: () => void): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { headers: { 'x-api-key': apiKey } });
    look();
    if (((await answer.json()) as { count: number }).count > 0) return;
    await Bun.sleep(POLL_MS);
  }
}

/** A summary line for a person. */
export function describeImport(rates: ImportRates): string {
  const { file, megabytes, rows, parser, offline, served, servedMb } = rates;
  const rate = (seconds: number) => `${seconds.toFixed(1)} s (${Math.round(rows / seconds)}/s)`;
  const memory = servedMb === null ? '' : `, ${servedMb} MB above rest`;
  return `Import of ${file}, ${rows} rows, ${megabytes.toFixed(0)} MB: parser alone ${rate(parser)}, command on its own ${rate(offline)}, until the running service finds its words ${rate(served)}${memory}.`;
}
