import { AppError } from '../../domain/errors.ts';
import { peekBytes } from './decompress.ts';

/**
 * Converts text to UTF-8: from UTF-16 if it starts with that byte order mark, from the encoding that an
 * XML declaration names, or from `encoding` (a label of the WHATWG Encoding standard, `windows-1252`).
 * Other bytes pass unchanged; if they are not UTF-8, their line is reported later. Throws
 * `invalid_input` for an unknown label.
 */
export async function* toUtf8(
  stream: AsyncIterable<Uint8Array>,
  encoding: string | null = null,
): AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peekBytes(stream, 256);
  const label = encoding ?? encodingOf(head);
  if (label === null) {
    yield* bytes;
    return;
  }
  const decoder = decoderOf(label);
  const encoder = new TextEncoder();
  for await (const chunk of bytes) {
    yield encoder.encode(decoder.decode(chunk, { stream: true }));
  }
  yield encoder.encode(decoder.decode());
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch (cause) {
    throw new AppError('invalid_input', `There is no encoding "${label}".`, { cause });
  }
}

/** Null for UTF-8 and for an unknown encoding. */
function encodingOf(head: Uint8Array): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const text = new TextDecoder('latin1').decode(head).replace(/^\u00ef\u00bb\u00bf/, '');
  const named = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1] ?? null;
  return named === null || /^utf-?8$/i.test(named) ? null : named;
}
