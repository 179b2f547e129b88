import { isForbiddenText } from '../domain/text.ts';
import { type Reading, refused } from './oauth-fault.ts';

/** Parameters by name; no name is there twice, and an empty value counts as none. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Reads a query or a form. A parameter that is sent twice is a fault (RFC 6749, section 3.1), but for
 * a `resource` that says the same both times.
 */
export function readParameters(text: string): Reading<Parameters> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (isForbiddenText(name) || isForbiddenText(value))
      return refused('invalid_request', 'A parameter holds a character that is not allowed.');
    const former = parameters.get(name);
    const isRepeated = former !== undefined && !(name === 'resource' && former === value);
    if (isRepeated)
      return name === 'resource'
        ? refused('invalid_target', 'Name one resource.')
        : refused('invalid_request', 'A parameter is sent twice.');
    if (value !== '') parameters.set(name, value);
  }
  return { value: parameters };
}
