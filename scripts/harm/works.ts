import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Serving, type Started, start } from '../../tests/support/processes.ts';
import { type DataFolders, serviceOptions } from './data-folder.ts';
import {
  built,
  file,
  gone,
  type Moment,
  printed,
  readOf,
  threadsAtWork,
  written,
} from './moments.ts';

/** Catalogues: as it was, and with a hundredth, a quarter or all of its offerings changed. */
export type State = 'old' | 'hundredth' | 'quarter' | 'whole';

/** What the works begin with. */
export interface Prepared {
  /** A backup of the old catalogue. */
  readonly backup: string;
  readonly feeds: Readonly<Record<Exclude<State, 'old'>, string>>;
}

/** Work in progress. */
export interface Running {
  /** The process that is killed. */
  readonly victim: Started;
  /** The command whose outcome says what was acknowledged; null if nothing is. */
  readonly command: Started | null;
  /** Ends what is not killed. */
  end(): Promise<void>;
}

/** Work that is killed. */
export interface Work {
  readonly name: string;
  /** The catalogue before it and after it; from an older data folder: before an upgrade. */
  readonly from: State | 'older';
  readonly to: State;
  begin(data: string): Promise<Running>;
  moments(): Moment[];
}

/** Parts of the whole, for moments in between. */
const PARTS = [0.03, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95];

export function worksFor(
  program: readonly string[],
  { backup, feeds }: Prepared,
  folders: DataFolders,
): Work[] {
  const startService = (data: string): Running => {
    const victim = start(program, ['serve', '--listen', '127.0.0.1:0', ...serviceOptions(data)]);
    return { victim, command: null, end: async () => undefined };
  };
  const importInto = (data: string, feed: string) =>
    start(program, [
      'catalog',
      'import',
      feed,
      '--full',
      '--allow-shrink',
      '--data',
      data,
      '--json',
    ]);
  const upsertInto = (data: string, feed: string) =>
    start(program, ['catalog', 'import', feed, '--data', data, '--json']);
  const besideService =
    (begin: typeof importInto, feed: string) =>
    async (data: string): Promise<Running> => {
      const serving = await folders.serve(data);
      await untilLoaded(folders, serving, data);
      const command = begin(data, feed);
      return { victim: serving, command, end: () => ended(command) };
    };
  return [
    {
      name: 'building an index in two threads',
      from: 'old',
      to: 'old',
      begin: async (data) => {
        rmSync(join(data, 'index'), { recursive: true, force: true });
        return startService(data);
      },
      moments: () => [
        printed(/listening/),
        threadsAtWork(1),
        threadsAtWork(2),
        ...[0.1, 0.4, 0.7, 0.95].map(built),
        file(/\.index\.partial$/),
        file(/\.index\.partial$/, 0.5),
        file(/\.index\.partial$/, 1),
        file(/\.index$/),
      ],
    },
    {
      name: 'loading an index from its file',
      from: 'old',
      to: 'old',
      begin: async (data) => startService(data),
      moments: () => [printed(/listening/), ...[0, ...PARTS, 1].map((s) => readOf(/\.index$/, s))],
    },
    {
      name: 'an import by a command',
      from: 'old',
      to: 'whole',
      begin: async (data) => {
        const command = importInto(data, feeds.whole);
        return { victim: command, command, end: async () => undefined };
      },
      moments: () => [
        file(/-wal$/),
        ...PARTS.map(written),
        written(0.99),
        written(1),
        written(0.995),
        written(0.999),
        printed(/"new"/),
      ],
    },
    {
      name: 'an import beside a service',
      from: 'old',
      to: 'whole',
      begin: besideService(importInto, feeds.whole),
      moments: () => [
        file(/\.rows$/),
        file(/\.rows$/, 0.5),
        gone(/\.rows$/),
        threadsAtWork(1),
        ...[0.1, 0.4, 0.7, 0.95].map(built),
        ...PARTS.map(written),
        file(/\.partial$/),
        gone(/\.partial$/),
        printed(/"new"/),
      ],
    },
    {
      name: 'an import of a hundredth beside a service',
      from: 'old',
      to: 'hundredth',
      begin: besideService(upsertInto, feeds.hundredth),
      moments: () => [
        file(/\.rows$/),
        ...PARTS.map(written),
        file(/\.changes\.partial$/),
        gone(/\.changes\.partial$/),
        file(/\.changes$/),
        printed(/"new"/),
      ],
    },
    {
      name: 'an import of a quarter, whose changes are folded in',
      from: 'old',
      to: 'quarter',
      begin: besideService(upsertInto, feeds.quarter),
      moments: () => [
        threadsAtWork(1),
        ...[0.1, 0.5, 0.9].map(built),
        ...PARTS.map(written),
        file(/\.index\.partial$/),
        file(/\.index\.partial$/, 0.5),
        gone(/\.index\.partial$/),
        printed(/"new"/),
      ],
    },
    {
      name: 'a restore',
      from: 'whole',
      to: 'old',
      begin: async (data) => {
        const command = start(program, ['restore', backup, '--data', data, '--json']);
        return { victim: command, command, end: async () => undefined };
      },
      moments: () => [
        file(/db\.restoring$/),
        ...[0.25, 0.5, 0.75, 1].map((share) => file(/db\.restoring$/, share)),
        file(/\.restored-/),
        file(/-replaced-/),
        gone(/\.restored-/),
        gone(/db\.restoring$/),
        ...[0.5, 0.99].map(written),
        printed(/"createdAt"/),
      ],
    },
    {
      name: 'an upgrade, which backs up first',
      from: 'older',
      to: 'old',
      begin: async (data) => startService(data),
      moments: () => [
        printed(/Upgrading/),
        ...[0, 0.5, 1].map((share) => file(/\.partial\/vitrine\.db$/, share)),
        ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => file(/\.partial\/backup\.db$/, share)),
        file(/\.partial\/manifest\.json$/),
        file(/^before-migration-[^/]*\.json$/),
        file(/^before-migration-[^/]*\.db$/),
        gone(/\.partial\//),
        ...[0.9, 0.95, 0.99].map(written),
        printed(/listening/),
      ],
    },
  ];
}

async function untilLoaded(folders: DataFolders, serving: Serving, data: string): Promise<void> {
  await folders.askService(serving, data);
}

async function ended({ process }: Started): Promise<void> {
  if (process.exitCode === null && process.signalCode === null) await once(process, 'close');
}
