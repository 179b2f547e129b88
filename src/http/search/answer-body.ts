import { ByteBuffer } from '../../collections/byte-buffer.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';
import { type Visit, whole } from '../exchange/visit.ts';
import { jsonFields } from './result-v2.ts';

/** The most memory that the buffer keeps between answers: more than a page of long descriptions takes. */
const KEPT_BYTES = 1024 * 1024;

/**
 * For one answer at a time, which is written and copied in one turn of the event loop. An answer quotes the question
 * in curly quotation marks, and as one string it would take two bytes a character before it is encoded.
 */
const body = new ByteBuffer();

/** A response with the results, each written by `add`, and the answer's `further` members. */
export function answerWith(
  visit: Visit,
  { results, further }: { results: readonly SearchResult[]; further: object },
  add: (result: SearchResult, to: ByteBuffer) => void,
): Response {
  body.clear(KEPT_BYTES);
  body.addText('{"results":[');
  for (const [place, result] of results.entries()) {
    if (place > 0) body.addText(',');
    add(result, body);
  }
  body.addText(`],${jsonFields(further)}}`);
  visit.headers['content-type'] = 'application/json; charset=utf-8';
  return whole(visit, body.view());
}
