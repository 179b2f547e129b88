import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalReport, MeasuredQuery } from '../../src/cli/eval/eval-report.ts';
import { initializeFolder, vitrine } from '../support/command-line.ts';
import type { Finished } from '../support/processes.ts';
import { type LocalService, startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Report = EvalReport & { readonly queries: readonly MeasuredQuery[] };

const NAMES = [
  'Red kettle',
  'Blue kettle',
  'Oak table',
  'Wool blanket',
  'Brass lamp',
  'Cork board',
];
const CATALOG = NAMES.map((name, index) =>
  JSON.stringify({
    externalId: `p${index}`,
    name,
    description: `A ${name} of ours.`,
    price: '10.00',
  }),
).join('\n');

const QUERIES = [
  { id: 'a', question: 'kettle', class: 'word' },
  { id: 'b', question: 'oak table', class: 'word' },
  { id: 'c', question: 'lamp', class: 'light' },
  { id: 'd', question: 'zeppelin' },
];
/** `a` is judged so that the kettle named first must be the red one; nothing answers `d`. */
const QRELS = 'a 0 p0 3\na 0 p1 2\nb\t0\tp2\t3\nc 0 p4 3\nc 0 p3 1\nd 0 p3 1\n';

/** Words alone: the model would take seconds and change nothing here. */
const ENVIRONMENT = { VITRINE_EMBEDDER: 'off' };

const folder = temporaryFolder();
const queries = file('queries.jsonl', QUERIES.map((query) => JSON.stringify(query)).join('\n'));
const judgements = file('qrels.tsv', QRELS);
const catalog = file('catalog.jsonl', CATALOG);
const temporary = process.env.TMPDIR;

/** Where throw-away folders go, to see that none stays. */
beforeAll(() => {
  process.env.TMPDIR = folder.path;
});

afterAll(() => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  folder.remove();
});

describe('a temporary catalogue', () => {
  test('0: is imported, asked and measured, and leaves nothing behind', async () => {
    const report = await evaluate('--catalog', catalog);
    expect(report.all).toMatchObject({ queries: 3, zeroResults: 0 });
    expect(report.all.figures['recall@50']).toBe(1);
    expect(report.byClass.light).toMatchObject({ queries: 1, figures: { mrr: 1 } });
    expect(Object.keys(report.byClass)).toEqual(['word', 'light']);
    expect(report.withoutRelevant).toEqual({ queries: 1, empty: 1, lowConfidence: 0 });
    expect(report.scoring).toEqual({ unavailable: 4 });
    const oak = report.queries.find(({ id }) => id === 'b');
    expect(oak).toMatchObject({ figures: { 'ndcg@10': 1 }, ranking: ['p2'], text: 'oak table' });
    expect(leftovers()).toEqual([]);
  });

  test('0: queries may come as a table, the catalogue in several files', async () => {
    const table = file('queries.tsv', '\ufeffa\tkettle\r\n\r\nb\toak table\r\n');
    const [first, second] = [CATALOG.split('\n').slice(0, 2), CATALOG.split('\n').slice(2)];
    const report = await evaluate(
      ...['--queries', table],
      ...['--catalog', file('first.jsonl', first.join('\n'))],
      ...['--catalog', file('second.jsonl', second.join('\n'))],
    );
    expect(report.all).toMatchObject({ queries: 2, figures: { 'recall@50': 1 } });
    expect(report.byClass).toEqual({});
  });

  test('69: one that is stopped leaves nothing behind either', async () => {
    const { exitCode, stderr } = await run(['--catalog', catalog], AbortSignal.abort());
    expect(exitCode).toBe(69);
    expect(stderr).toContain('Stopped');
    expect(leftovers()).toEqual([]);
  });

  test('0: the table shows metrics, classes and questions without a right answer', async () => {
    const { exitCode, stdout } = await run(['--catalog', catalog, '--per-query']);
    expect(exitCode).toBe(0);
    for (const heading of ['NDCG@5', 'condensed@10', 'recall@50', 'MRR', 'no result', 'p50 ms']) {
      expect(stdout).toContain(heading);
    }
    expect(stdout).toMatch(/^word +2 /m);
    expect(stdout).toMatch(/^all +3 /m);
    expect(stdout).toMatch(/^b +word +1\.000 .* oak table$/m);
    expect(stdout).toContain('1 more without a relevant item: 1 without results');
  });
});

describe('saved runs', () => {
  const saved = join(folder.path, 'run.json');

  test('0: a saved run contains rankings, metrics and settings, and repeating it is not worse', async () => {
    await evaluate('--catalog', catalog, '--save', saved);
    const kept = JSON.parse(readFileSync(saved, 'utf8')) as Report;
    expect(kept.settings).toMatchObject({ catalog: [catalog], skipScoring: false, limit: 50 });
    expect(kept.settings).toMatchObject({ embedder: 'off' });
    expect(kept.queries.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(kept.queries[1]).toMatchObject({ ranking: ['p2'], figures: { mrr: 1 } });
    const { comparison } = await evaluate('--catalog', catalog, '--against', saved);
    expect(comparison).toMatchObject({ queries: 3, dropped: false });
    expect(comparison?.differences['ndcg@10']).toMatchObject({ mean: 0, low: 0, high: 0, p: 1 });
  });

  test('1: a significant drop, computed from earlier rankings and current judgements', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ id: `m${index}`, text: 'zeppelin' }));
    const table = file('many.tsv', many.map(({ id, text }) => `${id}\t${text}`).join('\n'));
    const qrels = file('many.qrels', many.map(({ id }) => `${id} 0 p3 3`).join('\n'));
    const better = { queries: many.map((query) => ({ ...query, ranking: ['p3'] })) };
    const against = file('better.json', JSON.stringify(better));
    const files = ['--queries', table, '--judgements', qrels, '--catalog', catalog];
    const { exitCode, stdout } = await run([...files, '--against', against]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('over 12 queries');
    expect(stdout).toContain('NDCG@10 dropped significantly.');
  });

  test('1: a metric below its floor; 0: a metric that reaches it', async () => {
    const low = await run(['--catalog', catalog, '--floor', 'recall@50=1', '--floor', 'mrr=0.5']);
    expect(low.exitCode).toBe(0);
    const wrong = file('wrong.qrels', 'a 0 p5 3\nb 0 p2 3\n');
    const high = await run(['--judgements', wrong, '--catalog', catalog, '--floor', 'ndcg@10=.75']);
    expect(high.exitCode).toBe(1);
    expect(high.stdout).toContain('NDCG@10 0.5000 is below its floor 0.75.');
  });
});

describe('sources of answers', () => {
  test('0: the organization in the data folder', async () => {
    const data = join(folder.path, 'data');
    await initializeFolder(data, '--org', 'Acme');
    await vitrine(['catalog', 'import', catalog, '--data', data], { environment: ENVIRONMENT });
    const report = await evaluate('--data', data);
    expect(report.all).toMatchObject({ queries: 3, figures: { 'recall@50': 1 } });
    expect(report.settings).toMatchObject({ answeredBy: 'this process', catalog: [] });
  });

  describe('a service over REST', () => {
    let service: LocalService;
    let server: ReturnType<typeof Bun.serve>;
    const asked: string[] = [];

    beforeAll(async () => {
      service = await startService();
      await service.importText(CATALOG);
      await service.embedAll();
      server = Bun.serve({
        port: 0,
        fetch(request) {
          const { pathname, search } = new URL(request.url);
          asked.push(search);
          // The second request comes too soon, as it may for any caller.
          if (asked.length === 2)
            return new Response(null, { status: 429, headers: { 'Retry-After': '0' } });
          return service.asStranger(`${pathname}${search}`, { headers: request.headers });
        },
      });
    });

    afterAll(async () => {
      await server.stop(true);
      await service.close();
    });

    test('0: is asked 50 deep, and again when it asks for time', async () => {
      const url = server.url.href;
      const report = await evaluate('--url', url, '--api-key', service.apiKey, '--skip-scoring');
      expect(report.all).toMatchObject({ queries: 3, figures: { 'recall@50': 1 } });
      expect(report.scoring).toEqual({ skipped: 4 });
      expect(JSON.stringify(report)).not.toContain(service.apiKey);
      expect(asked).toHaveLength(5);
      expect(asked[0]).toContain('limit=50&skip_scoring=true');
    });

    test('77: the key is refused; 69: the service is unreachable', async () => {
      const refused = await run(['--url', server.url.href, '--api-key', 'vk_wrong']);
      expect(refused.exitCode).toBe(77);
      expect(refused.stderr).toContain('answered 401');
      const absent = await run(['--url', 'http://127.0.0.1:1', '--api-key', service.apiKey]);
      expect(absent.exitCode).toBe(69);
    });

    test('64: needs a key and an address, and excludes a catalogue', async () => {
      const { href } = server.url;
      expect((await run(['--url', href])).stderr).toContain('--api-key');
      expect((await run(['--url', 'nowhere', '--api-key', 'x'])).exitCode).toBe(64);
      expect((await run(['--url', href, '--catalog', catalog])).exitCode).toBe(64);
      expect((await run(['--locale', 'de'])).stderr).toContain('--catalog');
    });
  });
});

describe('bad files', () => {
  test.each([
    ['a query without an id', '--queries', 'a\tkettle\nkettle\n', ':2: must contain an id, a tab'],
    [
      'a query that appears twice',
      '--queries',
      'a\tkettle\na\tlamp\n',
      ':2: query "a" appears twice',
    ],
    ['an empty question', '--queries', 'a\t \n', ':1: the question is empty'],
    ['a very long question', '--queries', `a\t${'x'.repeat(1025)}\n`, ':1: the question is longer'],
    [
      'broken JSON',
      '--queries',
      '{"id":"a","question":"x"}\n{"id":\n',
      ':2: must be a JSON object',
    ],
    ['a missing member', '--queries', '{"id":"a","text":"x"}\n', ':1: must be a JSON object'],
    ['nothing at all', '--queries', '\n', 'is empty'],
    [
      'too few columns',
      '--judgements',
      'a 0 p0\n',
      ':1: must contain a query id, 0, an external id and a grade',
    ],
    ['a grade out of range', '--judgements', 'a 0 p0 3\na 0 p1 4\n', ':2: the grade is "4"'],
    [
      'an item judged twice',
      '--judgements',
      'a 0 p0 3\na 0 p0 2\n',
      ':2: query "a" judges "p0" twice',
    ],
    ['ids of another set', '--judgements', 'x 0 p0 3\n', 'No query has a relevant judgement'],
    [
      'a file that is not a run',
      '--against',
      '{"queries":[{"id":"a"}]}',
      'is not a run that --save wrote',
    ],
    [
      'a run of other queries',
      '--against',
      '{"queries":[{"id":"a","text":"x","ranking":[]}]}',
      'contains none of these queries',
    ],
  ])('64: %s', async (_name, option, content, message) => {
    const { exitCode, stderr } = await run(['--catalog', catalog, option, file('bad', content)]);
    expect([exitCode, stderr]).toEqual([64, expect.stringContaining(message)]);
  });

  test('64: bytes that are no UTF-8, and every fault at once up to ten', async () => {
    const path = file('bad.tsv', '');
    writeFileSync(path, new Uint8Array([0x61, 0x09, 0xff, 0x0a]));
    expect((await run(['--queries', path])).stderr).toContain('bad.tsv:1: is not UTF-8');
    const many = file('many-faults.tsv', 'x\n'.repeat(12));
    const { stderr } = await run(['--queries', many]);
    expect(stderr.match(/must contain an id/g)).toHaveLength(10);
    expect(stderr).toContain('and 2 more faults');
  });

  test('66: a missing file, before anything is imported', async () => {
    for (const option of ['--queries', '--judgements', '--against', '--catalog']) {
      const { exitCode, stderr } = await run([option, join(folder.path, 'absent')]);
      expect([option, exitCode]).toEqual([option, 66]);
      expect(stderr).toContain('absent');
    }
    const nowhere = join(folder.path, 'absent', 'run.json');
    expect((await run(['--catalog', catalog, '--save', nowhere])).exitCode).toBe(66);
    expect(existsSync(nowhere)).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  test.each(['ndcg@10', 'ndcg@7=0.5', 'ndcg@10=2', 'ndcg@10=', 'ndcg@10=x'])(
    '64: the floor "%s"',
    async (floor) => expect((await run(['--floor', floor])).exitCode).toBe(64),
  );
});

async function evaluate(...args: readonly string[]): Promise<Report> {
  const { exitCode, stdout, stderr } = await run([...args, '--json', '--per-query']);
  if (exitCode !== 0) throw new Error(`exit ${exitCode}\n${stderr}`);
  return JSON.parse(stdout) as Report;
}

/** `vitrine eval` with the files above, unless `args` names others. */
function run(args: readonly string[], stop?: AbortSignal): Promise<Finished> {
  const files = ['--queries', queries, '--judgements', judgements];
  return vitrine(['eval', ...files, ...args], {
    environment: ENVIRONMENT,
    ...(stop === undefined ? {} : { stop }),
  });
}

function file(name: string, content: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

function leftovers(): string[] {
  return readdirSync(folder.path).filter((name) => name.startsWith('vitrine-eval-'));
}
