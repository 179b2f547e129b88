import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describePeer, PEERS, type Peer, readReport, runPeer } from '../../scripts/bench/peers.ts';
import { SERVERS } from '../../scripts/bench/servers.ts';
import { ROOT } from '../../scripts/binary/folders.ts';

const REPORT = {
  ...{ indexSeconds: 1.5, p50Ms: 0.2, p99Ms: 3, perSecond: 2000, perSecondAllCores: 3900 },
  ...{ diskBytes: 2_500_000, residentBytes: 2 ** 26 },
};
const TASK = { catalogue: 'catalogue.jsonl', questions: ['lamp'], seconds: 1 };

const builds = mkdtempSync(join(tmpdir(), 'vitrine-peers-'));
afterAll(() => rmSync(builds, { recursive: true }));

/** A peer whose build and program are scripts, so that no toolchain is needed. */
function scripted({ build = '', run = '' }): Peer {
  const command = (script: string) => [process.execPath, '-e', script];
  return { ...PEERS[0]!, tools: [], build: command(build), run: command(run) };
}

test('a peer without its toolchain is skipped, and the note names what is missing', async () => {
  const peer = { ...PEERS[0]!, tools: ['no-such-compiler'] };
  const untouched = join(builds, 'untouched');
  mkdirSync(untouched);
  const outcome = await runPeer(peer, TASK, untouched);
  expect(describePeer(peer.name, outcome)).toBe(
    'tantivy 0.27.0: skipped: no-such-compiler not found on the PATH.',
  );
  expect(readdirSync(untouched)).toEqual([]);
});

test('a peer that cannot be built or run is skipped with its reason', async () => {
  const failing = 'console.error("Updating\\nerror: no network"); process.exit(1)';
  for (const peer of [scripted({ build: failing }), scripted({ run: failing })])
    expect(await runPeer(peer, TASK, builds)).toEqual({ skipped: 'error: no network' });
});

test('the last line that a peer prints is its report, and its index does not stay', async () => {
  const run = `console.log('indexing'); console.log(${JSON.stringify(JSON.stringify(REPORT))})`;
  expect(await runPeer(scripted({ run }), TASK, builds)).toEqual({ report: REPORT });
  const left = readdirSync(builds, { recursive: true, encoding: 'utf8' });
  expect(left.filter((path) => path.includes('run-'))).toEqual([]);
  expect(describePeer('Peer', { report: REPORT })).toBe(
    'Peer, engine alone: index 1.50 s, p50 0.200 ms, p99 3.000 ms, 2000/s, 3900/s from all cores, 2.50 MB on disk, 64 MB in memory.',
  );
});

test('a report without a figure is refused; one without memory is not', () => {
  const { p99Ms: _, ...incomplete } = REPORT;
  expect(() => readReport(JSON.stringify(incomplete))).toThrow('A peer printed no p99Ms');
  const without = { ...REPORT, residentBytes: null };
  expect(readReport(JSON.stringify(without))).toEqual(without);
});

test('the name of each peer has the version that its manifest pins', () => {
  const manifests = {
    tantivy: ['Cargo.toml', 'Cargo.lock'],
    lucene: ['pom.xml'],
    opensearch: ['pom.xml', 'modules/analysis-common/plugin-descriptor.properties'],
  };
  for (const { name, folder } of [...PEERS, ...SERVERS])
    for (const manifest of manifests[folder as keyof typeof manifests]) {
      const text = readFileSync(join(ROOT, 'scripts', 'bench', 'peers', folder, manifest), 'utf8');
      expect(text).toContain(name.split(' ').at(-1)!);
    }
});
