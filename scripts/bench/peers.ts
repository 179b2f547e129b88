import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../binary/folders.ts';
import type { Figures } from './curves.ts';
import { runToEnd } from './processes.ts';
import type { Row } from './table.ts';

/** What a peer's program prints about its engine, without HTTP. */
export interface PeerReport {
  /** From the first line of the catalogue to the first possible search. */
  readonly indexSeconds: number;
  /** Latencies of one question at a time. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  /** With a thread for each core. */
  readonly perSecondAllCores: number;
  readonly diskBytes: number;
  /** At the end, mapped pages of the index included; null where the system does not tell. */
  readonly residentBytes: number | null;
}

/** What a peer measured, or why it could not. */
export type Outcome<Report> = { readonly report: Report } | { readonly skipped: string };

/** A program of another language, fetched and built here with the toolchain of that language. */
export interface Buildable {
  /** Ends in the version, which the manifest pins. */
  readonly name: string;
  /** Folder of its source, below `peers/`. */
  readonly folder: string;
  /** Programs without which it is skipped. */
  readonly tools: readonly string[];
  /** The command that fetches and builds what it needs, run in a copy of its folder. */
  readonly build: readonly string[];
}

/** An engine that its program measures without HTTP. */
export interface Peer extends Buildable {
  /** The command that runs it there, followed by catalogue, questions, folder and seconds. */
  readonly run: readonly string[];
}

/** What every peer is asked to do. */
export interface PeerTask {
  /** JSON Lines with `name` and `description`, not compressed. */
  readonly catalogue: string;
  readonly questions: readonly string[];
  /** Duration of each of the two measurements. */
  readonly seconds: number;
}

export const PEERS: readonly Peer[] = [
  {
    name: 'tantivy 0.27.0',
    folder: 'tantivy',
    tools: ['cargo'],
    build: ['cargo', 'build', '--release', '--locked', '--quiet', '--target-dir', 'target'],
    run: [join('target', 'release', 'tantivy-peer')],
  },
  {
    name: 'Lucene 9.12.3',
    folder: 'lucene',
    tools: ['java', 'mvn'],
    build: ['mvn', '--quiet', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'],
    run: ['java', '-Xmx1g', '-cp', join('lib', '*'), 'LucenePeer.java'],
  },
];

/** Git ignores it, and builds there are used again. */
const BUILDS = join(ROOT, 'build', 'peers');

/**
 * Builds a peer and hands over the folder where it was built and an empty one, which is removed
 * afterwards, also if a signal ends the run. Returns why the peer is skipped, rather than end a benchmark.
 */
export async function withBuilt<Report>(
  peer: Buildable,
  measure: (folders: { readonly home: string; readonly work: string }) => Promise<Report>,
  builds = BUILDS,
): Promise<Outcome<Report>> {
  const missing = peer.tools.filter((tool) => Bun.which(tool) === null);
  if (missing.length > 0) return { skipped: `${missing.join(' and ')} not found on the PATH` };
  // By version, because the library folder of another version would be on the class path too.
  const home = join(builds, peer.name.toLowerCase().replace(' ', '-'));
  mkdirSync(home, { recursive: true });
  // The times of the files stay, so that cargo does not build the same source again.
  cpSync(join(import.meta.dir, 'peers', peer.folder), home, {
    recursive: true,
    preserveTimestamps: true,
  });
  const work = mkdtempSync(join(home, 'run-'));
  const removeWork = () => rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', removeWork);
  try {
    await runToEnd(peer.build, { cwd: home, env: process.env });
    return { report: await measure({ home, work }) };
  } catch (error) {
    return { skipped: tellingLine(error) };
  } finally {
    process.off('exit', removeWork);
    removeWork();
  }
}

/** Builds an engine and runs its program to the end. */
export function runPeer(
  peer: Peer,
  { catalogue, questions, seconds }: PeerTask,
  builds?: string,
): Promise<Outcome<PeerReport>> {
  const run = async ({ home, work }: { home: string; work: string }) => {
    const asked = join(work, 'questions.json');
    writeFileSync(asked, JSON.stringify(questions));
    const command = [...peer.run, catalogue, asked, join(work, 'index'), String(seconds)];
    return readReport(await runToEnd(command, { cwd: home, env: process.env }));
  };
  return withBuilt(peer, run, builds);
}

/** Reads the line that a peer prints. Throws if a figure is missing or is not a number. */
export function readReport(printed: string): PeerReport {
  const given = JSON.parse(printed.trim().split('\n').at(-1)!) as Record<string, unknown>;
  const figure = (name: Exclude<keyof PeerReport, 'residentBytes'>): number => {
    const value = given[name];
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new Error(`A peer printed no ${name}: ${printed}`);
    return value;
  };
  const { residentBytes } = given;
  return {
    indexSeconds: figure('indexSeconds'),
    p50Ms: figure('p50Ms'),
    p99Ms: figure('p99Ms'),
    perSecond: figure('perSecond'),
    perSecondAllCores: figure('perSecondAllCores'),
    diskBytes: figure('diskBytes'),
    residentBytes: typeof residentBytes === 'number' ? residentBytes : null,
  };
}

/** The rows of the peers in the table of the benchmark, and a note on each. */
export async function measurePeers(
  task: PeerTask,
  progress: (name: string) => void = () => {},
): Promise<{ rows: Row[]; notes: string[] }> {
  const rows: Row[] = [];
  const notes: string[] = [];
  for (const peer of PEERS) {
    progress(peer.name);
    const outcome = await runPeer(peer, task);
    if ('report' in outcome) rows.push(...rowsOf(peer.name, outcome.report));
    notes.push(describePeer(peer.name, outcome));
  }
  return { rows, notes };
}

/** What an engine contributes to the curves. Throws `Skipped` if it was. */
export function figuresOfEngine(rows: number, outcome: Outcome<PeerReport>): Figures {
  const report = reportOf(outcome);
  return {
    rowsPerSecond: rows / report.indexSeconds,
    ...{ p50Ms: report.p50Ms, p99Ms: report.p99Ms, perSecond: report.perSecondAllCores },
    residentMb: report.residentBytes === null ? null : report.residentBytes / 2 ** 20,
    diskMb: report.diskBytes / 1e6,
  };
}

/** The report of a peer. Throws `Skipped` without one. */
export function reportOf<Report>(outcome: Outcome<Report>): Report {
  if ('skipped' in outcome) throw new Skipped(`skipped: ${outcome.skipped}`);
  return outcome.report;
}

/** A peer cannot be measured on this machine. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

function rowsOf(name: string, report: PeerReport): Row[] {
  const { residentBytes } = report;
  return [
    {
      ...{ name, connections: null, perSecond: report.perSecond },
      ...{ p50Ms: report.p50Ms, p99Ms: report.p99Ms },
      residentMb: residentBytes === null ? null : residentBytes / 2 ** 20,
      ...{ wordsSeconds: report.indexSeconds, vectorSeconds: null },
    },
    {
      name: `${name}, ${availableParallelism()} threads`,
      ...{ connections: null, perSecond: report.perSecondAllCores, p50Ms: null, p99Ms: null },
      ...{ residentMb: null, wordsSeconds: null, vectorSeconds: null },
    },
  ];
}

/** A sentence with every figure of a peer, or with why it has none. */
export function describePeer(name: string, outcome: Outcome<PeerReport>): string {
  if ('skipped' in outcome) return `${name}: skipped: ${outcome.skipped}.`;
  const { report } = outcome;
  const figures = [
    `index ${report.indexSeconds.toFixed(2)} s`,
    `p50 ${report.p50Ms.toFixed(3)} ms`,
    `p99 ${report.p99Ms.toFixed(3)} ms`,
    `${report.perSecond.toFixed(0)}/s, ${report.perSecondAllCores.toFixed(0)}/s from all cores`,
    `${(report.diskBytes / 1e6).toFixed(2)} MB on disk`,
  ];
  if (report.residentBytes !== null)
    figures.push(`${(report.residentBytes / 2 ** 20).toFixed(0)} MB in memory`);
  return `${name}, engine alone: ${figures.join(', ')}.`;
}

/** The line of an error that says most: the first that names an error or exception, or else the last. */
function tellingLine(error: unknown): string {
  // `runToEnd` puts the command on the first line.
  const lines = String(error).split('\n');
  const printed = lines.slice(1).filter((line) => line.trim() !== '');
  return (
    printed.find((line) => /\berror\b|exception/i.test(line)) ??
    printed.at(-1) ??
    String(error)
  ).trim();
}
