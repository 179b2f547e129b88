/** The size of a run that verifies a promise: environment variables of tests, or options of a script. */
interface Size {
  readonly environment?: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
  /** For readers. */
  readonly label: string;
}

/** A promise of vitrine and what verifies it. */
export interface Promised {
  readonly promise: string;
  /** Test files, or one script. */
  readonly shownBy: readonly string[];
  readonly each: Size;
  /** Omitted if there is only one size. */
  readonly long?: Size;
}

const sized = (variable: string, label: string, each: number, long: number) => ({
  each: { environment: { [variable]: `${each}` }, label: `${each.toLocaleString('en')} ${label}` },
  long: { environment: { [variable]: `${long}` }, label: long.toLocaleString('en') },
});

/** Sorted by duration, longest last. tests/README.md lists them with measurements; a test compares the two. */
export const PROMISES: readonly Promised[] = [
  {
    promise: 'A hit answered 201 survives kill -9',
    shownBy: ['scripts/kill-hits.ts'],
    each: { options: ['20'], label: '20 kills under load' },
    long: { options: ['500'], label: '500' },
  },
  {
    promise: '… and a power cut',
    shownBy: ['tests/e2e/power-cut.test.ts'],
    ...sized('VITRINE_TEST_POWER_CUTS', 'images', 450, 3000),
  },
  {
    promise: 'Acknowledged stock, items, files and webhooks survive kill -9, none in part',
    shownBy: ['scripts/kill-pushes.ts'],
    each: { options: ['10'], label: '10 kills under load' },
    long: { options: ['60'], label: '60' },
  },
  {
    promise: 'A full disk refuses writes, keeps answering reads, recovers by itself',
    shownBy: ['tests/cli/full-disk.test.ts'],
    each: { label: 'a disk of 3 MB' },
  },
  {
    promise:
      'A damaged, empty, foreign or newer database is never served or adopted; a second process refuses',
    shownBy: ['tests/storage/database.test.ts', 'tests/cli/serve.test.ts'],
    each: { label: 'twelve kinds of damage' },
  },
  {
    promise: 'Two services never share a port',
    shownBy: ['tests/cli/port.test.ts'],
    each: { label: 'both listeners, two processes' },
  },
  {
    promise: 'Rot costs the record that it is in: texts, zeroed pages and garbage, at any size',
    shownBy: [
      'tests/e2e/rot.test.ts',
      'tests/storage/texts.test.ts',
      'tests/operations/upkeep/damaged-texts.test.ts',
      'tests/operations/upkeep/examine-rows.test.ts',
    ],
    each: {
      label:
        'ten kinds of flipped bits, two of damaged pages over 32 MiB; every column of a catalogue, every stored text',
    },
  },
  {
    promise: 'A clock that jumps deletes nothing',
    shownBy: ['tests/operations/retention-clock.test.ts'],
    each: { label: 'a year forward, while it runs and across a restart' },
  },
  {
    promise: 'An interrupted migration or import resumes or never happened',
    shownBy: [
      'tests/operations/imports/import-killed.test.ts',
      'tests/operations/upkeep/back-up-database.test.ts',
    ],
    ...sized('VITRINE_TEST_KILLS', 'kills', 40, 300),
  },
  {
    promise: 'A damaged, foreign or outdated index file is never used, and is written anew',
    shownBy: ['scripts/harm-index.ts'],
    each: { options: ['--sections'], label: '40 damages and each section at 1,000 offerings' },
    long: {
      options: ['--rows', '100000', '--damages', '200', '--sections'],
      label: '200 and each at 100,000',
    },
  },
  {
    promise: 'Work that is killed at a chosen moment never happened, or is complete',
    shownBy: ['scripts/kill-moments.ts'],
    each: { options: [], label: '80 moments of seven works at 20,000 offerings' },
    long: { options: ['--rows', '100000'], label: '100,000' },
  },
  {
    promise: 'A backup taken while writing restores to the same content',
    shownBy: ['tests/cli/backup.test.ts'],
    ...sized('VITRINE_TEST_ROUNDS', 'backups', 12, 200),
  },
  {
    promise: 'A bad row never aborts an import and is reported by its line',
    shownBy: ['tests/catalog/damage.test.ts', 'tests/catalog/shopify-csv-damage.test.ts'],
    ...sized('VITRINE_TEST_DAMAGED_FILES', 'files of each family', 1000, 5000),
  },
  {
    promise: 'One organization never reads another’s data',
    shownBy: ['tests/http/isolation.test.ts'],
    ...sized('VITRINE_TEST_ISOLATION_CALLS', 'random calls', 20_000, 200_000),
  },
  {
    promise: 'The rate limit is exact and refills; wall-clock jumps do not matter',
    shownBy: [
      'tests/e2e/rate-limit.test.ts',
      'tests/rate-limit.test.ts',
      'tests/http/limits.test.ts',
    ],
    ...sized('VITRINE_TEST_RATE_SECONDS', 's of 64 connections', 30, 300),
  },
  {
    promise: 'Shutting down loses nothing',
    shownBy: ['tests/cli/serve.test.ts', 'tests/cli/keep-alive.test.ts'],
    each: { label: '200 requests in flight, 200 streams, 200 kept connections' },
  },
  {
    promise: 'Vanished stream clients leak nothing',
    shownBy: ['scripts/mcp-streams.ts'],
    each: { options: [], label: '2,000 open, 20,000 churned' },
    long: { options: ['--churn', '200000'], label: '200,000' },
  },
  {
    promise: 'Slow clients hold nobody up',
    shownBy: ['tests/http/slow-clients.test.ts'],
    ...sized('VITRINE_TEST_SLOW_CLIENTS', 'of each of four kinds', 100, 500),
  },
  {
    promise: 'Without file descriptors the service does not spin, says so, and recovers by itself',
    shownBy: ['tests/cli/descriptors.test.ts'],
    each: { label: '240 connections, 120 descriptors' },
  },
  {
    promise: 'A refused tenant does not slow down another',
    shownBy: ['scripts/hostile-tenant.ts'],
    each: { options: [], label: 'three attacks, three rounds of 3 s' },
    long: { options: ['--seconds', '60'], label: 'rounds of 60 s' },
  },
  {
    promise: 'Garbage never gives a 5xx and never another shape of error',
    shownBy: ['tests/http/garbage.test.ts'],
    ...sized('VITRINE_TEST_GARBAGE', 'inputs, and a tenth over sockets', 20_000, 500_000),
  },
  {
    promise:
      'One key, address or agent alone moves no order, and without traffic answers are as before',
    shownBy: ['tests/operations/learning/learning.test.ts'],
    each: { label: 'ten kinds of lone clients and crawlers' },
  },
  {
    promise: 'A model’s fault never fails a search',
    shownBy: [
      'tests/operations/search/score-candidates.test.ts',
      'tests/models/remote-scorer.test.ts',
      'tests/models/remote-embedder.test.ts',
    ],
    each: { label: 'each fault × 200 searches' },
  },
  {
    promise: 'Text from a catalogue stays data',
    shownBy: [
      'tests/landing/markdown.test.ts',
      'tests/operations/landing/landing-pages.test.ts',
      'tests/assets/widget-hostile.test.ts',
      'tests/models/remote-scorer.test.ts',
      'tests/cli/hits.test.ts',
    ],
    each: { label: 'some hundred attacks' },
  },
  {
    promise: 'Secrets stay out of logs, errors, files',
    shownBy: ['tests/e2e/secrets.test.ts'],
    each: { label: 'everything that a run writes' },
  },
  {
    promise: '`regenerate` is single-flight and restart-safe',
    shownBy: [
      'tests/operations/landing/landing-pages.test.ts',
      'tests/operations/landing/landing-killed.test.ts',
    ],
    each: { label: '200 callers; kills midway' },
  },
  {
    promise: 'It runs for long',
    shownBy: ['scripts/soak.ts'],
    each: { options: ['--minutes', '10'], label: '10 min' },
    long: { options: ['--minutes', '480'], label: '8 h' },
  },
];
