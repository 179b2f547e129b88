import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dataFiles } from '../../src/config.ts';
import type { CatalogSourceView } from '../../src/operations/sources/catalog-sources.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A description that fills a file. */
const NOISE = 'Brass, with a shade of linen. '.repeat(30);

const temporary = temporaryFolder();
const data = join(temporary.path, 'data');
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) =>
    request.headers.get('if-none-match') === '"1"'
      ? new Response(null, { status: 304 })
      : new Response('id,title,price\na,Lamp,5\n', { headers: { etag: '"1"' } }),
});
const url = `http://127.0.0.1:${server.port}/feed.csv`;

beforeAll(async () => {
  await initializeFolder(data, '--org', 'Acme', '--currency', 'EUR');
  const template = 'https://{domain}/{external_id}';
  const links = ['--domain', 'shop.example', '--product-url-template', template];
  await vitrineJson('shop', 'set', ...links, '--data', data);
});
afterAll(() => {
  server.stop(true);
  temporary.remove();
});

const run = (args: string[], input?: string) =>
  vitrine(['catalog', ...args, '--data', data], input === undefined ? {} : { input });

function file(name: string, content: string | Uint8Array): string {
  const path = join(temporary.path, name);
  writeFileSync(path, content);
  return path;
}

describe('catalog import', () => {
  test('names the format, the evidence for it, and the columns it uses', async () => {
    const path = file('feed.tsv', 'id\ttitle\tprice\tcustom\nnamed\tLamp\t1\tx\n');
    const { stdout, stderr } = await run(['import', path]);
    expect(stderr).toBe(
      `${path}: google-tsv, detected by the columns id, title, price\n  takes id, title, price\n  ignores custom\n`,
    );
    expect(stdout).toMatch(/^1 new/);
  });

  test('says nothing of a general format where a specific one is sure, and takes the one that is named', async () => {
    const path = file('both.csv', 'id,title,price,seller_name\na,Lamp,1,x\n');
    const { stderr } = await run(['import', path, '--dry-run']);
    expect(stderr).toContain('openai-csv, detected by the columns seller_name, id, title, price\n');
    expect((await run(['import', path, '--dry-run', '--format', 'google-tsv'])).stderr).toContain(
      'google-tsv, as --format says',
    );
  });

  test('says of a file with headings alone that it holds nothing, and exits with 1', async () => {
    const path = file('headings.csv', 'id,title,price\n');
    const { exitCode, stderr } = await run(['import', path]);
    expect(stderr).toEndWith(`${path} holds no items, so nothing was imported.\n`);
    expect(exitCode).toBe(1);
  });

  test('--map gives columns the names that the format knows', async () => {
    const path = file('preise.csv', 'Nr;Artikel;Listung\n7;Tasse;"9,90"\n');
    expect((await run(['import', path])).exitCode).toBe(65);
    const mapped = await run([
      'import',
      path,
      '--map',
      'Nr=id',
      '--map',
      'Artikel=title',
      '--map',
      'Listung=price',
    ]);
    expect([mapped.exitCode, mapped.stdout]).toEqual([0, expect.stringMatching(/^1 new/)]);
    expect((await run(['import', path, '--map', 'nonsense'])).exitCode).toBe(64);
  });

  test('a table of unknown origin is imported with the guess, its first values and the full command', async () => {
    const path = file('liste.csv', 'Art.-Nr.;Bezeichnung;Preis;Intern\n8;Tasse;9,90;x\n');
    const { exitCode, stdout, stderr } = await run(['import', path]);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^1 new/)]);
    expect(stderr).toBe(`${path}: table, columns guessed by headings and values
  column       taken as  first values
  Art.-Nr.     id        8
  Bezeichnung  title     Tasse
  Preis        price     9,90
  Intern       –         x
The same, in full:
  vitrine catalog import ${path} --data ${data} --map Art.-Nr.=id --map Bezeichnung=title --map Preis=price
`);
  });

  test('a guess that is not sure is refused alike by import, a dry run and validate, before anything is written', async () => {
    const path = file('ek.csv', 'Art.-Nr.;Bezeichnung;EK;VK netto\n7;Tasse;4,10;"9,90"\n');
    const last = (text: string) => text.trim().split('\n').at(-1);
    const runs = [
      ['import', path],
      ['import', path, '--dry-run'],
      ['validate', path],
    ];
    for (const args of runs) {
      const { exitCode, stdout, stderr } = await run(args);
      expect([exitCode, stdout]).toEqual([65, '']);
      expect(stderr).toContain(`vitrine catalog ${args[0]} ${path} `);
      expect(stderr).toContain('--map "VK netto=price"');
      expect(last(stderr)).toBe(
        `vitrine: ${path} was not read, because its columns are not sure: "VK netto" is a price without tax. "EK" is what the shop or a reseller pays.`,
      );
    }
  });

  test('a large file, which a thread reads, gives its columns, its faults and the records to correct', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `n${at}\tLamp\t${NOISE}\t1\tx`);
    rows[2500] = `n2500\t\t${NOISE}\t1\tx`;
    rows.push(rows[7]!);
    const path = file('large.tsv', ['id\ttitle\tdescription\tprice\tcustom', ...rows].join('\n'));
    const { exitCode, stdout, stderr } = await run(['import', path, '--dry-run']);
    expect([exitCode, stdout]).toEqual([2, expect.stringContaining('2999 new, 0 changed')]);
    expect(stderr.split('\n')).toEqual([
      `${path}: google-tsv, detected by the columns id, title, price`,
      '  takes id, title, description, price',
      '  ignores custom',
      'large.tsv:2502: error: title is required. (missing_value)',
      'large.tsv:3002: error: An earlier record has the same external id. (duplicate_external_id)',
      `The records to correct are in ${path}.errors.csv: correct and import that file.`,
      '',
    ]);
    const corrected = readFileSync(`${path}.errors.csv`, 'utf8').trim().split('\n');
    expect(corrected.map((line) => /^n\d+/.exec(line)?.[0])).toEqual([undefined, 'n2500', 'n7']);
  }, 60_000);

  test('a large file, whose rows a thread prepares, is imported as it is through standard input', async () => {
    const place = join(temporary.path, 'large');
    await vitrineJson('init', '--org', 'Acme', '--currency', 'EUR', '--data', place);
    const rows = Array.from({ length: 2500 }, (_, at) => ({
      ...{ externalId: `n${at}`, name: `Lamp zircon${at}`, description: NOISE, price: '1.00' },
      attributes: { size: `${at} cm` },
    }));
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const path = file('large.jsonl', lines);
    const { stdout } = await vitrine(['catalog', 'import', path, '--data', place]);
    expect(stdout).toContain('2500 new, 0 changed, 0 same');
    const input = { input: lines };
    const again = await vitrine(['catalog', 'import', '-', '--data', place], input);
    expect(again.stdout).toContain('0 new, 0 changed, 2500 same');
    const found = await vitrine(['search', 'zircon2499', '--data', place], {
      environment: { VITRINE_EMBEDDER: 'off' },
    });
    expect(found.stdout).toContain('Lamp zircon2499');
  }, 60_000);

  test('a file that breaks off shows none of its rows, although some are written by then', async () => {
    const place = join(temporary.path, 'broken');
    await vitrineJson('init', '--org', 'Acme', '--currency', 'EUR', '--data', place);
    const rows = Array.from({ length: 1200 }, (_, at) => {
      return `${at},Lamp,1,${randomBytes(3000).toString('base64')}`;
    });
    const whole = gzipSync(['id,title,price,description', ...rows].join('\n'));
    const path = file('broken.csv.gz', whole.subarray(0, whole.length * 0.9));
    const broken = await vitrine(['catalog', 'import', path, '--data', place]);
    expect([broken.exitCode, broken.stdout]).toEqual([64, '']);
    expect(broken.stderr).toContain('damaged');
    const stats = () => vitrineJson('catalog', 'stats', '--data', place);
    expect(await stats()).toMatchObject({ offerings: 0 });
    using db = new Database(dataFiles(place).database, { readonly: true });
    expect(db.query('SELECT count(*) > 0 AS some FROM items').get()).toEqual({ some: 1 });
    writeFileSync(path, whole);
    expect(await vitrine(['catalog', 'import', path, '--data', place])).toMatchObject({
      exitCode: 0,
    });
    expect(await stats()).toMatchObject({ offerings: 1200 });
  }, 60_000);

  test('of two records of one transaction that mean the same item, the second is refused', async () => {
    const own = file('own.jsonl', '{"externalId":"mine","name":"Twin","slug":"twin"}\n');
    await run(['import', own]);
    const products = Array.from({ length: 800 }, (_, at) => {
      const id = 50_000 + at;
      const handle = at === 5 || at === 795 ? 'twin' : `single-${at}`;
      return {
        id,
        handle,
        title: 'Lamp',
        body_html: NOISE,
        variants: [{ id: id + 10_000, price: '1.00' }],
      };
    });
    const { stdout, stderr } = await run([
      'import',
      file('products.json', JSON.stringify({ products })),
    ]);
    expect(stdout).toMatch(/^798 new, 1 changed, 0 same, 0 archived, 1 rejected/);
    expect(stderr).toContain(
      'It describes the same item as an earlier record. (duplicate_identity)',
    );
  });

  test('reads standard input, but only once', async () => {
    const piped = await run(['import', '-'], '{"externalId":"pipe","name":"Pipe"}\n');
    expect([piped.exitCode, piped.stdout]).toEqual([0, expect.stringMatching(/^1 new/)]);
    expect((await run(['import', '-', '--strict'], '')).exitCode).toBe(65);
  });

  test.each([
    [
      'UTF-16 with its mark',
      Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('id,title,price\nu,Müll,1\n', 'utf16le')]),
      [],
    ],
    [
      'UTF-16, packed',
      gzipSync(
        Buffer.concat([
          Buffer.of(0xfe, 0xff),
          Buffer.from('id,title,price\nu,Müll,1\n', 'utf16le').swap16(),
        ]),
      ),
      [],
    ],
    ['UTF-8 with its mark and CR alone', Buffer.from('\ufeffid,title,price\ru,Müll,1\r'), []],
    [
      'Windows-1252, if told',
      Buffer.from('id,title,price\nu,M\xfcll,1\n', 'latin1'),
      ['--encoding', 'windows-1252'],
    ],
    [
      'an XML declaration',
      Buffer.from(
        '<?xml version="1.0" encoding="ISO-8859-1"?><rss xmlns:g="http://base.google.com/ns/1.0"><item><g:id>u</g:id><title>M\xfcll</title></item></rss>',
        'latin1',
      ),
      [],
    ],
  ])('takes %s', async (name, bytes, flags) => {
    const path = file(`${name.length}.any`, bytes);
    const { stdout } = await run(['import', path, ...flags, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ rejected: 0 });
    const found = await vitrineJson<{ results: { name: string }[] }>(
      'search',
      'Müll',
      '--data',
      data,
    );
    expect(found.results[0]?.name).toBe('Müll');
  });

  test('an 8-bit encoding is recognised and named, and an unknown encoding is refused', async () => {
    const path = file('latin.csv', Buffer.from('id,title,price\nv,M\xfcll,1\n', 'latin1'));
    const { exitCode, stderr } = await run(['import', path]);
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('; read as windows-1252 by its bytes: --encoding names another\n'),
    ]);
    expect((await run(['import', path, '--encoding', 'nonsense'])).exitCode).toBe(64);
  });

  test('an address: only if it is allowed, once while it is unchanged, and saved with --every', async () => {
    expect((await run(['import', url])).exitCode).toBe(64);
    expect((await run(['import', 'preise.csv', '--every', '1h'])).exitCode).toBe(64);
    const first = await run(['import', url, '--allow-private', '--every', '6h']);
    expect([first.exitCode, first.stdout]).toEqual([0, expect.stringMatching(/^\d new/)]);
    const second = await run(['import', url, '--allow-private']);
    expect([second.exitCode, second.stdout]).toEqual([
      0,
      `${url}: unchanged since the last import\n`,
    ]);
    const [source] = await vitrineJson<CatalogSourceView[]>('catalog', 'sources', '--data', data);
    expect(source).toMatchObject({ url, everyMs: 21_600_000, lastResult: { state: 'unchanged' } });
    expect((await run(['sources'])).stdout).toContain('every 6h');
    expect((await run(['sources', '--remove', url])).stdout).toBe(`Removed ${url}.\n`);
    expect((await run(['sources'])).stdout).toBe(
      'No catalogue has been imported from an address.\n',
    );
    expect((await run(['sources', '--remove', url])).exitCode).toBe(66);
  });

  test('an address is read again after the currency of its shop has changed', async () => {
    await run(['import', url, '--allow-private']);
    await vitrine(['shop', 'set', '--currency', 'USD', '--data', data]);
    const again = await run(['import', url, '--allow-private']);
    expect(again.stdout).toMatch(/^0 new, 1 changed/);
    await vitrine(['shop', 'set', '--currency', 'EUR', '--data', data]);
  });

  test('--progress json ends with the final state', async () => {
    const path = file('progress.jsonl', '{"externalId":"p","name":"P"}\n');
    const { stderr } = await run(['import', path, '--progress', 'json']);
    const last = JSON.parse(stderr.trim().split('\n').at(-1)!);
    expect(last).toMatchObject({ stage: 'importing', share: 1, count: 1 });
  });

  test('faults in formats other than tables are written in a form that can be imported again', async () => {
    const path = file(
      'feed.xml',
      '<rss xmlns:g="http://base.google.com/ns/1.0">\n<item><g:id>x1</g:id><title>Vase</title><g:price>9..9 EUR</g:price></item></rss>',
    );
    expect((await run(['import', path])).exitCode).toBe(1);
    const errors = `${path}.errors.csv`;
    writeFileSync(errors, readFileSync(errors, 'utf8').replace('9..9', '9.90'));
    expect((await run(['import', errors])).stdout).toMatch(/^1 new/);
  });
});
