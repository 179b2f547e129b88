import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from './curves.ts';
import { type Processes, residentMb, untilIdle } from './processes.ts';
import {
  measureSearches,
  megabytesIn,
  observe,
  peakOf,
  startObserved,
  untilInMemory,
} from './scale.ts';
import { importCommand, type Prepared, type Program, prepareData } from './vitrine.ts';

/** An index of a document in memory takes more than this. */
const BYTES_PER_DOCUMENT_MIN = 100;

/** How vitrine or a server is asked. */
export interface Asking {
  readonly questions: readonly string[];
  /** Connections where several ask at a time. */
  readonly clients: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** A build of vitrine with a data folder for one feed. */
export class VitrineAtScale {
  readonly #processes: Processes;
  readonly #program: Program;
  readonly #rows: number;
  readonly #data: string;

  constructor(
    program: Program,
    { rows, data, processes }: { rows: number; data: string; processes: Processes },
  ) {
    this.#processes = processes;
    this.#program = program;
    this.#rows = rows;
    this.#data = data;
  }

  get hasData(): boolean {
    return existsSync(this.#data);
  }

  /** Imports by a command alone into a new data folder. `tiny` is a feed of one row. */
  async import(feed: string, tiny: string): Promise<Figures> {
    const partial = `${this.#data}.partial`;
    rmSync(partial, { recursive: true, force: true });
    await prepareData(this.#program, { data: partial, copyOf: undefined });
    const oneRowMb = await peakOf(importCommand(this.#program, tiny, partial), `${this.#data}.log`);
    const startedMs = performance.now();
    const peakMb = await peakOf(importCommand(this.#program, feed, partial), `${this.#data}.log`);
    const took = (performance.now() - startedMs) / 1000;
    renameSync(partial, this.#data);
    return { rowsPerSecond: this.#rows / took, importMb: peakMb - oneRowMb };
  }

  /** Starts without an index file, then with the one that this start wrote. */
  async start(): Promise<Figures> {
    rmSync(join(this.#data, 'index'), { recursive: true, force: true });
    const { took: builtSeconds } = await this.#startOnce();
    const { took: startSeconds, restMb } = await this.#startOnce();
    return { startSeconds, builtSeconds, restMb };
  }

  /** v3 over HTTP by one client, then by several. */
  async search({ questions, clients, seconds, warmUpSeconds }: Asking): Promise<Figures> {
    const prepared = await this.#prepare();
    const service = await this.#startInMemory(prepared);
    const ask = (connections: number, lasting: number) =>
      measureSearches(service, prepared, { questions, connections, seconds: lasting });
    await ask(clients, warmUpSeconds);
    const one = await ask(1, seconds);
    const many = await ask(clients, seconds);
    const resident = residentMb(service.process.pid);
    await this.#processes.stop(service.process);
    return {
      ...{ p50Ms: one.p50Ms, p99Ms: one.p99Ms, perSecond: many.perSecond },
      ...{ manyP50Ms: many.p50Ms, manyP99Ms: many.p99Ms },
      ...{ residentMb: resident, diskMb: megabytesIn(this.#data) },
    };
  }

  /** Imports other texts for some offerings beside a service that has them all in memory. */
  async change(changed: string): Promise<Figures> {
    const service = await this.#startInMemory(await this.#prepare());
    const command = importCommand(this.#program, changed, this.#data);
    const { seconds } = await observe(service, () => peakOf(command, `${this.#data}.log`));
    await this.#processes.stop(service.process);
    return { changeSeconds: seconds };
  }

  /** Imports the feed beside a running service that is empty, until it is searched in memory. */
  async served(feed: string): Promise<Figures> {
    const data = `${this.#data}-served`;
    rmSync(data, { recursive: true, force: true });
    const prepared = await prepareData(this.#program, { data, copyOf: undefined });
    const service = await startObserved(this.#processes, this.#program, prepared);
    await untilIdle(service.process.pid);
    const observed = await observe(service, async () => {
      await peakOf(importCommand(this.#program, feed, data), `${data}.log`);
      await untilInMemory(service, this.#leastBytes);
    });
    await this.#processes.stop(service.process);
    rmSync(data, { recursive: true });
    const { seconds, healthP99Ms, healthMostMs } = observed;
    return { servedRowsPerSecond: this.#rows / seconds, healthP99Ms, healthMostMs };
  }

  get #leastBytes(): number {
    return this.#rows * BYTES_PER_DOCUMENT_MIN;
  }

  #prepare(): Promise<Prepared> {
    return prepareData(this.#program, { data: this.#data, copyOf: undefined });
  }

  async #startInMemory(prepared: Prepared) {
    const service = await startObserved(this.#processes, this.#program, prepared);
    await untilInMemory(service, this.#leastBytes);
    return service;
  }

  async #startOnce(): Promise<{ took: number; restMb: number | null }> {
    const service = await this.#startInMemory(await this.#prepare());
    const took = (performance.now() - service.startedMs) / 1000;
    await untilIdle(service.process.pid);
    const restMb = residentMb(service.process.pid);
    await this.#processes.stop(service.process);
    return { took, restMb };
  }
}
