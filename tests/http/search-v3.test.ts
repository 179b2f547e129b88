import { describe, expect, test } from 'bun:test';
import { MUG_COUNT } from '../support/catalog.ts';
import { TARGETS, useService } from '../support/targets.ts';

interface AnswerV3 {
  readonly count: number;
  readonly total: number;
  readonly results: readonly {
    readonly id: string;
    readonly rank: number;
    readonly [field: string]: unknown;
  }[];
  readonly nextCursor: string | null;
  readonly scoring: string;
  readonly suggestion: string | null;
  readonly facets: Record<string, unknown>;
  readonly meta: { readonly warnings: readonly string[]; readonly [field: string]: unknown };
}

const V2_FIELDS = [
  'id',
  'type',
  'name',
  'description',
  'image',
  'images',
  'slug',
  'publicUrl',
  'publishedAt',
  'vendor',
  'tags',
  'productType',
  'price',
  'compareAtPrice',
];
const META_FIELDS = [
  'requestId',
  'warnings',
  'constraints',
  'lowConfidence',
  'timings',
  'indexVersion',
];

const V3_FIELDS = [
  ...V2_FIELDS,
  'score',
  'rank',
  'matchedOn',
  'highlights',
  'explanation',
  'currency',
  'availability',
  'available',
  'variants',
  'matchedVariant',
  'shop',
  'externalId',
  'updatedAt',
];

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  async function search(query: string, shop = ''): Promise<AnswerV3> {
    const response = await service().fetch(`/rest/search/v3/${shop}?${query}`);
    expect([query, response.status]).toEqual([query, 200]);
    return (await response.json()) as AnswerV3;
  }

  async function refusal(query: string): Promise<unknown> {
    const response = await service().fetch(`/rest/search/v3/?${query}`);
    expect(response.status).toBe(400);
    return response.json();
  }

  test('200: every field is present, for products and contexts', async () => {
    const answer = await search('q=lighthouse');
    expect(Object.keys(answer)).toEqual([
      'results',
      'count',
      'query',
      'total',
      'totalIsExact',
      'nextCursor',
      'tookMs',
      'scoring',
      'facets',
      'suggestion',
      'meta',
    ]);
    expect(Object.keys(answer.meta)).toEqual(META_FIELDS);
    expect(Object.keys(answer.facets)).toEqual(['vendor', 'productType', 'tags', 'price']);
    for (const result of answer.results) expect(Object.keys(result)).toEqual(V3_FIELDS);
  });

  test('200: a product says what it costs, why it was found and which choices there are', async () => {
    const { results } = await search('q=lighthouse+lamp');
    expect(results[0]).toMatchObject({
      rank: 1,
      matchedOn: ['name', 'description', 'tags', 'meaning'],
      highlights: [
        { field: 'name', snippet: '<mark>Lighthouse</mark> <mark>lamp</mark> &lt;small&gt;' },
        {
          field: 'description',
          snippet: 'A <mark>lighthouse</mark> for the bedside &amp; the hall.',
        },
      ],
      currency: 'EUR',
      availability: 'in_stock',
      available: true,
      externalId: 'lighthouse-lamp',
      shop: { id: service().shop.id, name: 'Acme' },
      variants: [
        {
          id: 'lighthouse-red',
          title: 'Red',
          sku: 'LIGHT-R',
          price: '49.90',
          compareAtPrice: '59.90',
          available: true,
          options: { Colour: 'Red' },
          image: 'https://cdn.example/lighthouse-red.jpg',
        },
        {
          id: 'lighthouse-blue',
          title: 'Blue',
          sku: 'LIGHT-B',
          price: '39.90',
          compareAtPrice: null,
          available: false,
          options: { Colour: 'Blue' },
          image: null,
        },
      ],
    });
    expect(results[0]!['explanation']).toMatch(/^“lighthouse.*\.$/);
    expect(results[0]!['updatedAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('200: product-only fields of a context are null or empty', async () => {
    const { results } = await search('q=about+our+lighthouse');
    const context = results.find(({ type }) => type === 'context');
    expect(context).toMatchObject({
      image: null,
      images: [],
      slug: null,
      vendor: null,
      tags: [],
      productType: null,
      price: null,
      compareAtPrice: null,
      currency: null,
      availability: null,
      available: null,
      variants: [],
      matchedVariant: null,
    });
  });

  test('200: scores fall with the rank, which counts from 1 through all pages', async () => {
    const { results } = await search('q=mug+tea&limit=100');
    const scores = results.map(({ score }) => score as number);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    expect(results.map(({ rank }) => rank)).toEqual(results.map((_, index) => index + 1));
  });

  test('200: equal scores are ordered by id', async () => {
    const { results } = await search('q=mug&limit=100');
    const groups = [...Map.groupBy(results, ({ score }) => score).values()];
    const ties = groups.filter(({ length }) => length > 1);
    expect(ties.length).toBeGreaterThan(0);
    for (const tied of ties) {
      const ids = tied.map(({ id }) => String(id));
      expect(ids).toEqual(ids.toSorted());
    }
  });

  test('200: twenty results unless asked for up to a hundred', async () => {
    expect((await search('q=mug')).count).toBe(20);
    expect((await search('q=mug&limit=1')).count).toBe(1);
    expect((await search('q=mug&limit=100&products_only=1')).count).toBe(MUG_COUNT);
  });

  test('200: what cannot be ordered now is demoted, not hidden', async () => {
    const { results } = await search('q=yellow+anorak&products_only=true');
    expect(results.map(({ externalId }) => externalId)).toEqual(['anorak-2', 'anorak-1']);
    expect(results.map(({ available }) => available)).toEqual([true, false]);
    expect(results[1]!['explanation']).toContain('cannot be ordered now');
  });

  test('200: facets count what was found, not only the page', async () => {
    const { facets } = await search('q=mug&limit=1&products_only=true');
    expect(facets).toMatchObject({
      vendor: [
        { value: 'Harbour Pottery', count: 38 },
        { value: 'Kiln & Co', count: 19 },
      ],
      productType: [{ value: 'Mugs', count: MUG_COUNT }],
      price: [{ currency: 'EUR', min: '10.50', max: '66.50' }],
    });
  });

  test('200: a misspelt word is found, and its right spelling suggested', async () => {
    const { results, suggestion } = await search('q=lighthuose');
    expect(results.map(({ externalId }) => externalId)).toContain('lighthouse-lamp');
    expect(suggestion).toBe('lighthouse');
    expect((await search('q=lighthouse')).suggestion).toBeNull();
  });

  describe('shops', () => {
    test('200: the shop in the path wins over those in the query, with a warning', async () => {
      const answer = await search('q=lighthouse&shop_id=nobody', 'shop-1/');
      expect(answer.count).toBe(2);
      expect(answer.meta.warnings).toEqual([
        'shop_id in the query is ignored: the path names a shop.',
      ]);
      expect((await search('q=lighthouse', 'shop-1/')).meta.warnings).toEqual([]);
    });

    test('200: repeated shops mean any of them; commas separate nothing', async () => {
      const { operator, as } = service();
      const { slug, apiKey } = await operator.createOrganization('Two shops');
      await operator.createShop({ name: 'Second', currency: 'GBP', organization: slug });
      const row = (externalId: string) => [{ externalId, name: 'Deck chair' }];
      await operator.importRows(row('first'), { organization: slug, shop: 'shop-1' });
      await operator.importRows(row('second'), { organization: slug, shop: 'shop-2' });
      const found = async (query: string) => {
        const response = await as(apiKey)(`/rest/search/v3/?q=deck+chair${query}`);
        const { results } = (await response.json()) as AnswerV3;
        return results.map(({ externalId }) => externalId).sort();
      };
      expect(await found('')).toEqual(['first', 'second']);
      expect(await found('&shop_id=shop-2')).toEqual(['second']);
      expect(await found('&shop_id=shop-1&shop_id=shop-2')).toEqual(['first', 'second']);
      expect(await found('&shop_id=shop-2&shop_id=nobody&shop_id=shop-2')).toEqual(['second']);
      expect(await found('&shop_id=shop-1,shop-2')).toEqual([]);
      expect(await found('&shop_id=')).toEqual([]);
    });
  });

  test('200: an unknown parameter is ignored with a warning that cannot be mistaken for ours', async () => {
    const { meta } = await search('q=lighthouse&lmit=5&%3Cb%3E=1&lmit=6');
    expect(meta.warnings).toEqual([
      'Unknown query parameter "lmit" is ignored.',
      'Unknown query parameter "?b?" is ignored.',
    ]);
  });

  describe('pages', () => {
    test.each([
      ['scored', 'q=mug&limit=7'],
      ['unscored', 'q=mug&limit=7&skip_scoring=true'],
      ['of products', 'q=return+a+mug&limit=9&products_only=true'],
    ])('200: cursors lead through everything found once and in order: %s', async (_what, query) => {
      const whole = await search(query.replace(/limit=\d+/, 'limit=100'));
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: AnswerV3 = await search(cursor === null ? query : `${query}&cursor=${cursor}`);
        expect(page.total).toBe(whole.total);
        expect(page.results[0]!.rank).toBe(seen.length + 1);
        seen.push(...page.results.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(whole.results.map(({ id }) => id));
      expect(new Set(seen).size).toBe(whole.total);
    });

    test('400: a cursor is good for its own search only', async () => {
      const { nextCursor } = await search('q=mug');
      for (const query of [
        'q=tea',
        'q=mug&products_only=true',
        'q=mug&skip_scoring=true',
        'q=mug&shop_id=shop-1',
      ]) {
        expect(await refusal(`${query}&cursor=${nextCursor}`)).toMatchObject({
          code: 'invalid_input',
          details: { issues: [{ path: 'cursor', message: 'does not belong to this search' }] },
        });
      }
      expect((await search(`q=mug&limit=3&cursor=${nextCursor}`)).count).toBe(3);
    });

    test('400: an altered cursor is refused', async () => {
      const cursor = (await search('q=mug')).nextCursor!;
      const text = Buffer.from(cursor, 'base64url').toString('latin1');
      const forged = [
        text.replace(/^\d+/, '0'),
        text.replace(/\.\d+\./, '.999.'),
        text.slice(0, -1),
        `${text}0`,
        'x',
      ];
      for (const other of forged) {
        const encoded = Buffer.from(other).toString('base64url');
        expect(await refusal(`q=mug&cursor=${encoded}`)).toMatchObject({ code: 'invalid_input' });
      }
      expect(await refusal('q=mug&cursor=')).toMatchObject({ code: 'invalid_input' });
      expect(await refusal(`q=mug&cursor=${'a'.repeat(513)}`)).toMatchObject({
        code: 'invalid_input',
      });
    });

    test('400: a cursor from before a change of the catalogue has expired', async () => {
      const { operator, as } = service();
      const { slug, apiKey } = await operator.createOrganization('Changing');
      const rows = [1, 2, 3].map((number) => ({
        externalId: `${number}`,
        name: `Hammock ${number}`,
      }));
      await operator.importRows(rows, { organization: slug });
      const first = (await (
        await as(apiKey)('/rest/search/v3/?q=hammock&limit=2')
      ).json()) as AnswerV3;
      await operator.importRows(rows, { organization: slug });
      const next = `/rest/search/v3/?q=hammock&limit=2&cursor=${first.nextCursor}`;
      expect((await as(apiKey)(next)).status).toBe(200);
      await operator.importRows([{ externalId: '4', name: 'Hammock 4' }], { organization: slug });
      const response = await as(apiKey)(next);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'cursor_expired' });
    });

    test('400: a cursor of one organization is refused for another', async () => {
      const { nextCursor } = await search('q=mug');
      const { apiKey } = await service().operator.createOrganization('Copycat');
      const response = await service().as(apiKey)(`/rest/search/v3/?q=mug&cursor=${nextCursor}`);
      expect(await response.json()).toMatchObject({ code: 'invalid_input' });
    });
  });

  describe('scoring', () => {
    test('200: local, and skipped when asked to', async () => {
      const scored = await search('q=lighthouse');
      const skipped = await search('q=lighthouse&skip_scoring=true');
      expect([scored.scoring, skipped.scoring]).toEqual(['local', 'skipped']);
      expect(scored.meta.warnings).toEqual([]);
      const ids = ({ results }: AnswerV3) => results.map(({ id }) => id).sort();
      expect(ids(skipped)).toEqual(ids(scored));
    });

    test('200: a late model is not awaited: the results use words only, and say so', async () => {
      const budgetMs = 300;
      const hurried = await target.start({ flags: { 'embedder-budget-ms': `${budgetMs}` } });
      const { model } = hurried;
      model.condition = 'slow';
      const isAsked = model.nextAsked();
      const answering = hurried.fetch('/rest/search/v3/?q=lamp+with+a+lighthouse');
      await isAsked;
      await hurried.elapse(budgetMs);
      const answer = (await (await answering).json()) as AnswerV3;
      await hurried.close();
      expect(answer.scoring).toBe('timeout');
      expect(answer.results[0]!['externalId']).toBe('lighthouse-lamp');
      expect(answer.meta.warnings).toEqual([
        'The embedding model was late: these results match by words alone.',
      ]);
    });

    test('200: a failing model costs only the search by meaning, and the next question recovers', async () => {
      const { model } = service();
      model.condition = 'broken';
      const answer = await search('q=a+lighthouse+of+a+lamp');
      model.condition = 'well';
      expect(answer.scoring).toBe('unavailable');
      expect(answer.results[0]!['externalId']).toBe('lighthouse-lamp');
      expect(answer.meta.warnings).toEqual([
        'No embedding model is available: these results match by words alone.',
      ]);
      expect((await search('q=a+lighthouse+of+a+lamp')).scoring).toBe('local');
    });
  });
});

describe.each(TARGETS)('$name, without a model', (target) => {
  const service = useService(target, { flags: { embedder: 'off' } });

  test('200: words alone answer, and every answer says so', async () => {
    const response = await service().fetch('/rest/search/v3/?q=lighthouse');
    const answer = (await response.json()) as AnswerV3;
    expect(answer).toMatchObject({ scoring: 'unavailable', count: 2 });
    expect(answer.meta.warnings).toHaveLength(1);
    const v2 = await service().fetch('/rest/search/v2/?q=lighthouse');
    expect(await v2.json()).toMatchObject({ count: 2 });
  });
});
