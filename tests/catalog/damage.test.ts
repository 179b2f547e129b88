import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { acpFeed } from '../../src/catalog/feeds/acp-feed.ts';
import { googleTable, googleXml } from '../../src/catalog/feeds/google-feed.ts';
import { openaiJsonLines, openaiTable } from '../../src/catalog/feeds/openai-feed.ts';
import type { CatalogFormat } from '../../src/catalog/record/reader.ts';
import { shopifyJson } from '../../src/catalog/shopify/shopify-json.ts';
import { jsonLd } from '../../src/catalog/web-page/json-ld.ts';
import { wooCsv } from '../../src/catalog/woo/woo-csv.ts';
import { readAll } from './read.ts';

/** Damaged files per family; `bun run promises --long` reads more. */
const FILES = Number(process.env['VITRINE_TEST_DAMAGED_FILES'] ?? 250);

/** How a format writes records, and the kinds of damage that make one a fault. */
interface Family {
  readonly format: CatalogFormat;
  readonly before: string;
  readonly after: string;
  readonly between: string;
  record(id: string): string;
  readonly damages: readonly ((record: string) => string)[];
  /** Whether damage can destroy the end of a record and so merge two records. */
  readonly needsNeighbour?: true;
}

const NO_PRICE = (record: string) => record.replace('9.90', '9..9');
const NUL = (record: string) => record.replace('Mug', 'M\0g');

const table = (format: CatalogFormat, header: string, row: (id: string) => string): Family => ({
  format,
  before: `${header}\n`,
  after: '\n',
  between: '\n',
  record: row,
  needsNeighbour: true,
  damages: [
    NO_PRICE,
    NUL,
    (record) => record.replace('Mug', ''),
    (record) => record.replace('Mug', '"Mug'),
    (record) => record.replace('Mug', '"M"ug"'),
    (record) => record.slice(0, record.lastIndexOf(header.includes('\t') ? '\t' : ',')),
  ],
});

const JSON_DAMAGES = [
  (record: string) => record.replace('"Mug"', '"Mug'),
  (record: string) => record.replace('"Mug"', 'Mug"'),
  (record: string) => record.replace('"Mug"', ''),
  (record: string) => record.replace('"Mug"', '"M\\u0000g"'),
  (record: string) => record.replace('"Mug"', '["Mug"'),
  (record: string) => record.slice(0, -1),
  (record: string) => record.slice(0, record.length / 2),
  (record: string) => record.replace(':', ''),
];

const FAMILIES: Record<string, Family> = {
  'Google TSV': table(
    googleTable,
    'id\ttitle\tdescription\tprice\tavailability',
    (id) => `${id}\tMug\tA "big" one\t9.90 EUR\tin stock`,
  ),
  'OpenAI CSV': table(
    openaiTable,
    'item_id,title,description,price,is_eligible_search',
    (id) => `${id},Mug,"One,\ntwo",9.90 EUR,true`,
  ),
  'WooCommerce CSV': table(
    wooCsv,
    'ID,Type,Name,Published,In stock?,Regular price,Description',
    (id) => `${id},simple,Mug,1,1,9.90,"Blue, ""big"""`,
  ),
  'Google XML': {
    format: googleXml,
    before: '<?xml version="1.0"?>\n<rss xmlns:g="http://base.google.com/ns/1.0"><channel>\n',
    after: '\n</channel></rss>\n',
    between: '\n',
    record: (id) =>
      `<item><g:id>${id}</g:id>\n<g:title>Mug</g:title><g:description><![CDATA[<b>a</b>]]></g:description>\n<g:price>9.90 EUR</g:price></item>`,
    damages: [
      NO_PRICE,
      NUL,
      (record) => record.replace('</g:title>', ''),
      (record) => record.replace('<g:title>', ''),
      (record) => record.replace('Mug', 'M & g'),
      (record) => record.replace('Mug', 'M<g'),
      (record) => record.replace(']]>', ''),
      (record) => record.replace('</item>', ''),
      (record) => record.slice(0, record.length / 2),
      (record) => record.replace('Mug', '<!-- Mug'),
    ],
  },
  'OpenAI JSON Lines': {
    format: openaiJsonLines,
    before: '',
    after: '\n',
    between: '\n',
    record: (id) => JSON.stringify({ item_id: id, title: 'Mug', price: '9.90 EUR' }),
    damages: [NO_PRICE, ...JSON_DAMAGES],
  },
  ACP: {
    format: acpFeed,
    before: '',
    after: '\n',
    between: '\n',
    record: (id) =>
      JSON.stringify({
        id,
        title: 'Mug',
        variants: [{ id: 'v', title: 'x', price: { amount: 990, currency: 'EUR' } }],
      }),
    damages: [(record) => record.replace('990', '9.9'), ...JSON_DAMAGES],
  },
  'Shopify JSON': {
    format: shopifyJson,
    before: '{"products":[\n',
    after: '\n]}\n',
    between: ',\n',
    record: (id) =>
      JSON.stringify({
        id,
        title: 'Mug',
        handle: 'mug',
        body_html: '<p class="x">{[}</p>',
        variants: [{ id: 1, title: 'x', price: '9.90' }],
        tags: ['a'],
      }),
    damages: [NO_PRICE, ...JSON_DAMAGES],
  },
  'JSON-LD': {
    format: jsonLd,
    before: '{"@context":"https://schema.org","@graph":[\n',
    after: '\n]}\n',
    between: ',\n',
    record: (id) =>
      JSON.stringify({
        '@type': 'Product',
        sku: id,
        name: 'Mug',
        offers: { price: '9.90', priceCurrency: 'EUR' },
      }),
    damages: [NO_PRICE, ...JSON_DAMAGES],
  },
};

test.each(Object.entries(FAMILIES))(
  `%s: in ${FILES} damaged files exactly the damaged records are at fault, all others come through`,
  async (_, family) => {
    const damage = fc.option(fc.nat(family.damages.length - 1), { freq: 3 });
    const plans = fc.array(damage, { minLength: 2, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 20, max: 2000 }), async (plan, chunkBytes) => {
        const faulty: number[] = [];
        const good: string[] = [];
        const parts: string[] = [];
        let line = family.before.split('\n').length;
        for (const [index, damaged] of plan.entries()) {
          // The first is valid; in a table, lines after a broken quote count as its rest.
          const isSound =
            damaged === null || index === 0 || (family.needsNeighbour && index % 2 === 0);
          const id = `p${index}`;
          const sound = family.record(id);
          const text = isSound ? sound : family.damages[damaged]!(sound);
          if (isSound) good.push(id);
          else faulty.push(line);
          parts.push(text);
          line += text.split('\n').length;
        }
        const content = family.before + parts.join(family.between) + family.after;
        const read = await readAll(family.format, content, { chunkBytes });
        const errors = read.faults.filter(({ severity }) => severity === 'error');
        expect([...new Set(errors.map((fault) => fault.line))]).toEqual(faulty);
        expect(read.items.map(({ externalId }) => externalId)).toEqual(good);
      }),
      { numRuns: FILES },
    );
  },
);

test.each(Object.entries(FAMILIES))(
  '%s: bytes of no sense end, with faults or nothing',
  async (_, family) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.nat(300), async (noise, at) => {
        const text = Buffer.from(
          `${family.before}${family.record('a')}${family.between}${family.record('b')}${family.after}`,
        );
        const content = Buffer.concat([text.subarray(0, at), noise, text.subarray(at)]);
        const read = readAll(family.format, content).catch((error) => {
          // A lost first row has its own error.
          expect(error.code).toBe('invalid_input');
        });
        await read;
      }),
      { numRuns: 150 },
    );
  },
);

test.each(['Google XML', 'Shopify JSON', 'OpenAI JSON Lines', 'Google TSV'])(
  '%s: a field of 10 MB is a fault, and the next record is read',
  async (name) => {
    const { format, before, after, between, record } = FAMILIES[name]!;
    const huge = record('a').replace('Mug', 'M'.repeat(10 * 1024 * 1024 + 1));
    const read = await readAll(format, before + huge + between + record('b') + after);
    expect(read.faults.map(({ code, line }) => [code, line])).toEqual([
      ['line_too_long', before.split('\n').length],
    ]);
    expect(read.items.map(({ externalId }) => externalId)).toEqual(['b']);
  },
);
