import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonLines } from '../support/catalog.ts';

/** Things that can be told apart by meaning alone. */
export const CATALOG_FILE = jsonLines([
  {
    externalId: 'couch',
    name: 'Linen couch',
    description: 'Seats three in the living room.',
    price: '799.00',
  },
  {
    externalId: 'drill',
    name: 'Cordless drill',
    description: 'For wood, metal and walls.',
    price: '129.00',
  },
  {
    externalId: 'anorak',
    name: 'Rain anorak',
    description: 'Waterproof, with a hood.',
    price: '80.00',
  },
  {
    externalId: 'kettle',
    name: 'Water kettle',
    description: 'Boils a litre in two minutes.',
    price: '45.00',
  },
]);

/** How long a model may take to be there: the first time it is unpacked. */
const MODEL_WAIT_MS = 60_000;
const POLL_MS = 50;

const running = new Set<ChildProcess>();

/** Ends what a failed test left behind. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

export interface Place {
  readonly cwd: string;
  /** All there is of it. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export async function finished(
  command: readonly string[],
  args: readonly string[],
  place: Place,
): Promise<Finished> {
  const child = launch(command, args, place);
  const [exitCode] = (await once(child.process, 'close')) as [number | null];
  return { exitCode, stdout: child.stdout(), stderr: child.stderr() };
}

export interface Started {
  readonly url: string;
  /** SIGTERM, and its exit code. */
  stop(): Promise<number | null>;
}

/** `serve` on a free port, from the moment on that it listens. */
export async function started(
  command: readonly string[],
  args: readonly string[],
  place: Place,
): Promise<Started> {
  const child = launch(
    command,
    ['serve', '--listen', '127.0.0.1:0', '--ops-listen', '127.0.0.1:0', ...args],
    place,
  );
  const closed = once(child.process, 'close') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    child.process.stderr.on('data', () => {
      const address = /listening on (http:\/\/\S+)/.exec(child.stderr())?.[1];
      if (address !== undefined) resolve(address);
    });
    closed.then(([code]) => reject(new Error(`exit ${code}: ${child.stderr()}`)), reject);
  });
  return {
    url,
    async stop() {
      child.process.kill('SIGTERM');
      return (await closed)[0];
    },
  };
}

export interface Answer {
  readonly scoring: string;
  readonly results: readonly {
    readonly externalId: string;
    readonly score: number;
    readonly matchedOn: readonly string[];
  }[];
}

async function ask(
  url: string,
  { apiKey, question }: { apiKey: string; question: string },
): Promise<Answer> {
  const response = await fetch(`${url}/rest/search/v3/?q=${encodeURIComponent(question)}`, {
    headers: { 'X-API-Key': apiKey },
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** The answer once the model is loaded and has read the catalogue. Throws when that never comes. */
export async function askUntilLocal(
  url: string,
  question: { apiKey: string; question: string },
): Promise<Answer> {
  const giveUpAt = performance.now() + MODEL_WAIT_MS;
  let answer = await ask(url, question);
  while (performance.now() < giveUpAt) {
    if (answer.scoring === 'local' && answer.results.length > 0) return answer;
    await delay(POLL_MS);
    answer = await ask(url, question);
  }
  throw new Error(`no meaning within ${MODEL_WAIT_MS} ms, the last answer was ${answer.scoring}`);
}

function launch([program, ...first]: readonly string[], args: readonly string[], place: Place) {
  const child = spawn(program!, [...first, ...args], {
    cwd: place.cwd,
    env: place.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { process: child, stdout: () => stdout, stderr: () => stderr };
}
