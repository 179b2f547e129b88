import { wordsOf } from './order.js';
import { say } from './say.js';
import { itemsOf, text } from './wording.js';

/**
 * @typedef {import('./wording.js').Offering} Offering
 * @typedef {{ input: Record<string, unknown>, result: import('./host.js').ToolResult | null, cancelled: string | null, isAlone: boolean }} Told
 * @typedef {{ question: string, offerings: Offering[], contexts: Offering[], total: number, isLowConfidence: boolean }} Found
 * @typedef {{ kind: 'loading', question: string } | { kind: 'message', title: string, detail: string, isFailure: boolean } | { kind: 'plain', words: string } | ({ kind: 'found' } & Found)} Phase
 */

/**
 * What to show, given everything that the host has sent so far.
 *
 * @param {Told} told
 * @returns {Phase}
 */
export function phaseOf({ input, result, cancelled, isAlone }) {
  const question = text(input['question']);
  if (result !== null) return phaseOfResult(result, question);
  if (cancelled !== null)
    return { kind: 'message', title: say('cancelled'), detail: cancelled, isFailure: false };
  if (isAlone) {
    const detail = say('alone');
    return { kind: 'message', title: say('nothingHere'), detail, isFailure: false };
  }
  return { kind: 'loading', question };
}

/**
 * @param {import('./host.js').ToolResult} result
 * @param {string} asked
 * @returns {Phase}
 */
function phaseOfResult(result, asked) {
  const words = wordsOf(result);
  if (result.isError === true) {
    const detail = words || say('tryAgain');
    return { kind: 'message', title: say('notLoaded'), detail, isFailure: true };
  }
  const data = result.structuredContent;
  // A host may forward only the text.
  if (!Array.isArray(data?.results)) return { kind: 'plain', words: words || say('nothing') };
  const items = itemsOf(data.results);
  const booked = result._meta?.['vitrine/bookable'];
  const bookable = new Set(Array.isArray(booked) ? booked : []);
  const images = /** @type {Record<string, unknown>} */ (
    result._meta?.['vitrine/variantImages'] ?? {}
  );
  const offerings = items
    .filter(({ type }) => type !== 'context')
    .map((offering) => ({
      ...offering,
      bookable: bookable.has(offering.id),
      variantImages: images[text(offering.id)],
    }));
  const contexts = [...items.filter(({ type }) => type === 'context'), ...itemsOf(data.contexts)];
  return {
    kind: 'found',
    question: text(data.query) || asked,
    offerings,
    contexts,
    total: Number.isInteger(data.total) ? Math.max(data.total, offerings.length) : offerings.length,
    isLowConfidence: data.meta?.lowConfidence === true,
  };
}
