import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Errors } from 'typebox/value';
import { isForbiddenText } from './text.ts';

/** Most rules of a shop. */
export const RULES_MAX = 1000;

/** Places on which a result can be pinned. */
const PLACE_MAX = 20;

/** How far a boost can move a result: its score is multiplied by this. */
const FACTOR_MIN = 0.1;
const FACTOR_MAX = 10;

/** Longest name that has a synonym, in words: a search looks for no longer ones. */
const WORDS_MAX = 2;

const Question = Type.String({ minLength: 1, maxLength: 1024 });
const ExternalId = Type.String({ minLength: 1, maxLength: 200 });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'UTC, 2026-01-31.' });

const strict = { additionalProperties: false };

const Synonym = Type.Object(
  {
    kind: Type.Literal('synonym'),
    words: Type.Array(Name, {
      minItems: 2,
      maxItems: 20,
      description: 'Names of the same thing, of one or two words each.',
    }),
    oneWay: Type.Optional(
      Type.Boolean({ description: 'A question for the first also finds the others, only.' }),
    ),
  },
  strict,
);

const Pin = Type.Object(
  {
    kind: Type.Literal('pin'),
    question: Question,
    item: ExternalId,
    place: Type.Integer({ minimum: 1, maximum: PLACE_MAX }),
  },
  strict,
);

const Hide = Type.Object(
  {
    kind: Type.Literal('hide'),
    item: ExternalId,
    question: Type.Optional(Question),
  },
  strict,
);

const Boost = Type.Object(
  {
    kind: Type.Literal('boost'),
    by: Type.Enum(['vendor', 'type', 'tag']),
    value: Type.String({ minLength: 1, maxLength: 200 }),
    factor: Type.Number({ minimum: FACTOR_MIN, maximum: FACTOR_MAX }),
    from: Type.Optional(Day),
    until: Type.Optional(Day),
  },
  strict,
);

/** How a shop's owner corrects its search: an item is named by its external id. */
export const CurationRule = Type.Union([Synonym, Pin, Hide, Boost]);
export type CurationRule = Static<typeof CurationRule>;

export type BoostRule = Static<typeof Boost>;

/** A rule's id: the same for the same rule, in every shop and on every machine. */
export function ruleId(rule: CurationRule): string {
  const members = Object.entries(rule).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, 8);
}

/** A rule in one line, without its kind: “gift” → gift-card on place 2. */
export function describeRule(rule: CurationRule): string {
  switch (rule.kind) {
    case 'synonym':
      return rule.oneWay === true
        ? `${rule.words[0]} → ${rule.words.slice(1).join(', ')}`
        : rule.words.join(' = ');
    case 'pin':
      return `“${rule.question}” → ${rule.item} on place ${rule.place}`;
    case 'hide':
      return rule.question === undefined ? rule.item : `${rule.item} for “${rule.question}”`;
    case 'boost': {
      const { by, value, factor, from, until } = rule;
      const days = [from && `from ${from}`, until && `until ${until}`].filter(Boolean);
      return [`${by} ${value} × ${factor}`, ...days].join(' ');
    }
  }
}

const BY_KIND = { synonym: Synonym, pin: Pin, hide: Hide, boost: Boost };

/** A rule from outside. What is wrong with it is a sentence. */
export function readRule(value: unknown): CurationRule | string {
  const { kind } = (value ?? {}) as { kind?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(BY_KIND, kind))
    return `kind must be one of ${Object.keys(BY_KIND).join(', ')}.`;
  const schema = BY_KIND[kind as keyof typeof BY_KIND];
  const [fault] = Errors(schema, value);
  if (fault === undefined) return faultOf(value as CurationRule) ?? (value as CurationRule);
  const path = fault.instancePath.slice(1);
  // How TypeBox says it of a member that the schema does not list.
  if (fault.message === 'schema is false') return `a ${kind} has no member ${path}.`;
  return `${path === '' ? 'it' : path} ${fault.message}.`;
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** What is wrong with a rule that its schema allows. */
function faultOf(rule: CurationRule): string | null {
  const texts = rule.kind === 'synonym' ? rule.words : Object.values(rule);
  if (texts.some((text) => typeof text === 'string' && isForbiddenText(text)))
    return 'it contains control characters.';
  if (rule.kind === 'synonym') {
    const long = rule.words.find((name) => name.trim().split(/[\s-]+/).length > WORDS_MAX);
    return long === undefined ? null : `“${long}” has more than ${WORDS_MAX} words.`;
  }
  if (rule.kind !== 'boost') return null;
  const { from, until, factor } = rule;
  if (factor === 1) return 'a factor of 1 changes nothing.';
  const wrong = [from, until].find((day) => day !== undefined && !isDay(day));
  if (wrong !== undefined) return `${wrong} is not a day.`;
  return from !== undefined && until !== undefined && until < from
    ? 'it ends before it begins.'
    : null;
}
