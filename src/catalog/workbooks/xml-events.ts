import { SaxesParser } from 'saxes';
import { AppError } from '../../domain/errors.ts';

/** Most characters between two tags; a cell of Excel has at most 32,767. */
const TEXT_MAX = 10 * 1024 * 1024;

/** What a reader of one XML part does at each tag. Names come without their prefixes. */
export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Parses XML as it arrives, and yields after every chunk so that the caller can take what the handlers
 * collected. Attributes keep their prefixes. Throws `invalid_input` if the XML is not well-formed,
 * `too_large` for a text of more than 10 MiB.
 */
export async function* parseXml(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser();
  // The parser collects a text until its end, however long it is.
  let silent = 0;
  let isEmpty = true;
  parser.on('error', (cause) => {
    throw new AppError('invalid_input', 'The workbook contains XML that is not well-formed.', {
      cause,
    });
  });
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0;
    handlers.open(localName(name), attributes as Readonly<Record<string, string>>);
  });
  parser.on('closetag', ({ name }) => {
    silent = 0;
    handlers.close?.(localName(name));
  });
  const onText = (text: string) => handlers.text?.(text);
  parser.on('text', onText);
  parser.on('cdata', onText);
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    silent += text.length;
    isEmpty = false;
    parser.write(text);
    if (silent > TEXT_MAX) throw new AppError('too_large', 'The workbook has an overlong text.');
    yield;
  }
  // A workbook need not have every part.
  if (isEmpty) return;
  parser.write(decoder.decode()).close();
  yield;
}

/** Parses a whole part. */
export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
): Promise<void> {
  for await (const _ of parseXml(bytes, handlers));
}

/** `sheetData` of `x:sheetData`; the prefix is the producer's choice. */
function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}
