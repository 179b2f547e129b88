/**
 * The values of a JSON Lines stream. Only a line feed ends a line; JSON escapes line feeds in
 * strings.
 */
export async function* parseJsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
  if (rest !== '') yield JSON.parse(rest);
}

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
