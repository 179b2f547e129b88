import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { AGENT_KINDS } from '../../src/domain/agent.ts';
import { AVAILABILITIES } from '../../src/domain/catalog.ts';
import { FIELDS } from '../../src/domain/field.ts';
import { CLASSIFICATIONS } from '../../src/domain/hit.ts';
import { TOOL_SETS } from '../../src/domain/organization.ts';
import { LANGUAGES } from '../../src/messages/languages.ts';
import { CATALOGUES } from '../../src/messages/translator.ts';
import type { MessageKey } from '../../src/messages/wording.ts';

const SOURCE = new URL('../../src/', import.meta.url).pathname;

/** Keys that the source composes from a prefix and these. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  'reason.': FIELDS,
  'availability.': AVAILABILITIES,
  'gone.': ['out_of_stock', 'discontinued'],
  'use.': TOOL_SETS,
  'report.kind.': AGENT_KINDS,
  'report.step.': ['search', 'link', 'checkout', 'purchase'],
  'report.event.': CLASSIFICATIONS,
  'report.mend.': ['synonym', 'pin', 'context', 'ignore'],
};

const { en } = CATALOGUES;
const keys = Object.keys(en) as MessageKey[];

test.each(LANGUAGES)('%s has every message once, with the names of the English one', (language) => {
  const messages = CATALOGUES[language];
  expect(Object.keys(messages).sort()).toEqual([...keys].sort());
  const different = keys.filter((key) => {
    const forms = Object.values(formsOf(messages[key])).map(namesIn);
    const names = namesIn(formsOf(en[key])['other']!);
    // `1 Treffer` may do without its count.
    return !forms.every((own) => names.every((name) => name === 'count' || own.includes(name)));
  });
  expect(different).toEqual([]);
  const unknown = keys.filter((key) => {
    const names = Object.values(formsOf(en[key])).flatMap(namesIn);
    return Object.values(formsOf(messages[key])).some((form) =>
      namesIn(form).some((name) => !names.includes(name)),
    );
  });
  expect(unknown).toEqual([]);
});

test('every message is used', () => {
  const source = sourceOf('**/*.ts');
  const widget = sourceOf('assets/widget/*.js');
  const composed = Object.entries(COMPOSED).flatMap(([prefix, ends]) => {
    expect(source).toContain(`\`${prefix}\${`);
    return ends.map((end) => `${prefix}${end}`);
  });
  const isUsed = (key: MessageKey) =>
    composed.includes(key) ||
    source.includes(`'${key}'`) ||
    (key.startsWith('widget.') && widget.includes(`'${key.slice('widget.'.length)}'`));
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});

/** The text of source files, without the catalogues. */
function sourceOf(pattern: string): string {
  return [...new Glob(pattern).scanSync({ cwd: SOURCE })]
    .filter((path) => !path.startsWith('messages/'))
    .map((path) => readFileSync(`${SOURCE}${path}`, 'utf8'))
    .join('\n');
}

test('no language leaves a message in English', () => {
  const isSentence = (key: MessageKey) => /\p{L}{2} \p{L}{2}/u.test(JSON.stringify(en[key]));
  const english = LANGUAGES.filter((language) => language !== 'en').flatMap((language) =>
    keys
      .filter((key) => isSentence(key) && Bun.deepEquals(CATALOGUES[language][key], en[key]))
      .map((key) => `${language} ${key}`),
  );
  expect(english).toEqual([]);
});

function formsOf(wording: string | object): Readonly<Record<string, string>> {
  return typeof wording === 'string' ? { other: wording } : { ...wording };
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)(?:, number)?\}/g)].map(([, name]) => name!);
}
