import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { run, type Serving, serve } from '../../tests/support/processes.ts';

/** Searches in flight at once. */
const AT_ONCE = 4;

/** How long a search is repeated while the catalogue is loading. */
const LOADED_WITHIN_MS = 120_000;
const ASK_AGAIN_MS = 20;

/** What a service says about its catalogue: equal for two of which one was killed and the other was not. */
export interface Said {
  /** One for each question. */
  readonly answers: readonly string[];
  /** Digest of all that the catalogue exports, in any order. */
  readonly items: string;
  readonly count: number;
}

/** A program, compiled or from source, and its data folders. */
export class DataFolders {
  readonly #command: readonly string[];
  readonly #questions: readonly string[];

  constructor(command: readonly string[], questions: readonly string[]) {
    this.#command = command;
    this.#questions = questions;
  }

  /** Runs a command and returns what it prints. Throws if it fails. */
  async vitrine(data: string, ...args: readonly string[]): Promise<unknown> {
    const { exitCode, stdout, stderr } = await run(this.#command, [
      ...args,
      ...['--data', data, '--json'],
    ]);
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
    return JSON.parse(stdout);
  }

  serve(data: string): Promise<Serving> {
    return serve(this.#command, serviceOptions(data));
  }

  /** Starts a service, asks it everything and stops it. Throws if it does not end well. */
  async ask(data: string): Promise<Said> {
    const serving = await this.serve(data);
    const said = await this.askService(serving, data);
    const exitCode = await serving.stop();
    const error = /^.*"level":"(?:error|fatal)".*$/m.exec(serving.stderr())?.[0];
    if (exitCode !== 0 || error !== undefined) throw new Error(error ?? `exit code ${exitCode}`);
    return said;
  }

  async askService({ url }: Serving, data: string): Promise<Said> {
    const { apiKey } = (await this.vitrine(data, 'key', 'create')) as { apiKey: string };
    const answers: string[] = [];
    const questions = this.#questions.entries();
    const asking = Array.from({ length: AT_ONCE }, async () => {
      for (const [at, question] of questions) answers[at] = await answerTo(url, question, apiKey);
    });
    await Promise.all(asking);
    return { answers, ...(await this.#itemsOf(data)) };
  }

  async #itemsOf(data: string): Promise<Omit<Said, 'answers'>> {
    const path = `${data}.jsonl`;
    await this.vitrine(data, 'catalog', 'export', path);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').sort();
    rmSync(path);
    const ids = new Set(lines.map((line) => /"externalId":"[^"]*"/.exec(line)?.[0]));
    if (ids.size !== lines.length)
      throw new Error(`${lines.length - ids.size} items are there twice`);
    const items = createHash('sha256').update(lines.join('\n')).digest('hex');
    return { items, count: lines.length };
  }
}

export function serviceOptions(data: string): string[] {
  return ['--data', data, '--embedder', 'off', '--log-level', 'warn'];
}

/** A copy of a data folder that no process uses. */
export function copyData(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (path) => !/\.(?:lock|sock)$/.test(path) });
}

/** What a search finds, without what differs from one request or import to the next. */
async function answerTo(url: string, question: string, apiKey: string): Promise<string> {
  const giveUpMs = performance.now() + LOADED_WITHIN_MS;
  for (;;) {
    const path = `/rest/search/v3/?limit=20&q=${encodeURIComponent(question)}`;
    const response = await fetch(url + path, { headers: { 'x-api-key': apiKey } });
    const text = await response.text();
    if (response.status === 503 && performance.now() < giveUpMs) {
      await delay(ASK_AGAIN_MS);
      continue;
    }
    if (response.status !== 200) return `${question}: ${response.status} ${text}`;
    const { total, results, facets, suggestion } = JSON.parse(text) as {
      total: number;
      results: object[];
      facets: object;
      suggestion: string | null;
    };
    const found = results.map((result) => ({ ...result, updatedAt: null, publishedAt: null }));
    return `${question}: ${JSON.stringify({ total, found, facets, suggestion })}`;
  }
}
