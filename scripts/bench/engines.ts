/*
 * Each engine is imported only when it is opened, so that no contender has the others in memory.
 */

/** The texts that every contender indexes. vitrine indexes more of an item than this. */
export interface IndexedText {
  readonly title: string;
  readonly text: string;
}

/** Indexes of the matching texts, best first, at most `LIMIT`. */
export type Search = (question: string) => number[] | Promise<number[]>;

const LIMIT = 20;

/** Tuned: title ×3, prefixes, typos. */
export async function openMiniSearch(texts: readonly IndexedText[]): Promise<Search> {
  const { default: MiniSearch } = await import('minisearch');
  const engine = new MiniSearch({ fields: ['title', 'text'] });
  engine.addAll(texts.map((text, id) => ({ id, ...text })));
  const options = { boost: { title: 3 }, prefix: true, fuzzy: 0.2 };
  return (question) =>
    engine
      .search(question, options)
      .slice(0, LIMIT)
      .map(({ id }) => id as number);
}

export async function openOrama(texts: readonly IndexedText[]): Promise<Search> {
  const { create, insert, search } = await import('@orama/orama');
  const engine = create({
    schema: { title: 'string', text: 'string' },
    components: { tokenizer: { language: 'english', stemming: true } },
  });
  // Inserts one by one, because insertMultiple pauses after every batch.
  for (const [place, text] of texts.entries()) await insert(engine, { id: String(place), ...text });
  const options = { limit: LIMIT, boost: { title: 3 } };
  return async (term) => {
    const { hits } = await search(engine, { term, ...options });
    return hits.map(({ id }) => Number(id));
  };
}

/** BM25 over any of the words, title ×5, from a database file like vitrine's. */
export async function openFts5(texts: readonly IndexedText[], url: string): Promise<Search> {
  const { createClient } = await import('@libsql/client');
  const client = createClient({ url, concurrency: 1 });
  await client.execute('PRAGMA journal_mode = WAL');
  await client.execute(
    "CREATE VIRTUAL TABLE words USING fts5(title, text, tokenize='porter unicode61')",
  );
  const rows = texts.map(({ title, text }, place) => [place, title, text]);
  await client.execute({
    sql: `INSERT INTO words (rowid, title, text)
          SELECT value->>0, value->>1, value->>2 FROM json_each(?)`,
    args: [JSON.stringify(rows)],
  });
  const sql = `SELECT rowid AS place FROM words
               WHERE words MATCH ? AND rank MATCH 'bm25(5.0, 1.0)' ORDER BY rank LIMIT ${LIMIT}`;
  return async (question) => {
    const words = question.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    if (words.length === 0) return [];
    const match = words.map((word) => `"${word}"`).join(' OR ');
    const { rows: found } = await client.execute({ sql, args: [match] });
    return found.map(({ place }) => Number(place));
  };
}
