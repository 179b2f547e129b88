/**
 * Whether the server refused because its answer would exceed its size limit (10 MB by default in
 * sqld).
 */
function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'RESPONSE_TOO_LARGE';
}

/**
 * Reads by keys, all at once. If the answer is too large for the server, reads the keys in halves.
 */
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

/** Reads a page of at most `limit` rows, or fewer if the answer is too large for the server. */
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
