/** What a server says when the answer would be more than it sends: sqld's limit is 10 MB. */
function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'RESPONSE_TOO_LARGE';
}

/** Reads by keys: all at once, or in halves where an answer is too large for the server. */
export async function readByKeys<Key, Row>(
  keys: readonly Key[],
  read: (keys: readonly Key[]) => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await read(keys);
  } catch (error) {
    if (!isTooLarge(error) || keys.length < 2) throw error;
    const middle = keys.length >> 1;
    return [
      ...(await readByKeys(keys.slice(0, middle), read)),
      ...(await readByKeys(keys.slice(middle), read)),
    ];
  }
}

/** Reads a page of at most `limit` rows: fewer where an answer is too large for the server. */
export async function readPage<Page>(
  limit: number,
  read: (limit: number) => Promise<Page>,
): Promise<{ page: Page; limit: number }> {
  try {
    return { page: await read(limit), limit };
  } catch (error) {
    if (!isTooLarge(error) || limit < 2) throw error;
    return readPage(limit >> 1, read);
  }
}
