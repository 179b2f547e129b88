import { expect, test } from 'bun:test';
import Type, { type TSchema } from 'typebox';
import { createQueryReader } from '../../src/schema/query-reader.ts';

/** The value of parameter `p` given these texts, or the faults. */
function read(schema: TSchema, ...texts: string[]): unknown {
  const reading = createQueryReader(Type.Object({ p: schema }))(
    new Map(texts.length === 0 ? [] : [['p', texts]]),
  );
  return 'value' in reading ? reading.value.p : reading.issues.map(({ message }) => message);
}

const NO_BOOLEAN = ['must be true, false, 1 or 0'];

test.each<[TSchema, string[], unknown]>([
  [Type.String(), [' a b '], 'a b'],
  [Type.String(), [' '], ['is required']],
  [Type.String(), [], ['is required']],
  [Type.String({ pattern: '^a$' }), ['b'], ['does not have the right form']],
  [Type.Optional(Type.String()), [], undefined],
  [Type.Optional(Type.String()), ['a', 'b'], ['may be given only once']],
  [Type.Optional(Type.String()), ['\0'], ['holds a character that is not allowed']],
  [Type.Boolean(), [' TRUE '], true],
  [Type.Boolean({ default: true }), ['0'], false],
  [Type.Boolean({ default: true }), [], true],
  [Type.Boolean({ default: true }), [''], NO_BOOLEAN],
  [Type.Boolean(), ['constructor'], NO_BOOLEAN],
  [Type.Boolean(), ['__proto__'], NO_BOOLEAN],
  [Type.Integer({ minimum: 1, maximum: 9 }), ['9'], 9],
  [Type.Integer({ minimum: 1, maximum: 9 }), ['-1'], ['must be a whole number from 1 to 9']],
  [Type.Integer({ minimum: 1, maximum: 9 }), ['1e0'], ['must be a whole number from 1 to 9']],
  [Type.Integer({ minimum: 1, maximum: 9 }), ['0x1'], ['must be a whole number from 1 to 9']],
  [Type.Integer(), ['-12'], -12],
  [Type.Number({ maximum: 1 }), ['0.25'], 0.25],
  [Type.Number({ maximum: 1 }), ['1.5'], ['must be a number, at most 1']],
  [Type.Number({ maximum: 1 }), ['Infinity'], ['must be a number, at most 1']],
  [Type.Enum(['new', 'old']), ['old'], 'old'],
  [Type.Enum(['new', 'old']), ['toString'], ['must be one of new, old']],
  [Type.Array(Type.String(), { maxItems: 2 }), ['a,b', ' c '], ['a,b', ' c ']],
  [Type.Array(Type.String(), { maxItems: 2, default: [] }), [], []],
  [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], ['may be given at most 1 times']],
  [Type.Array(Type.Integer()), ['1', '2'], [1, 2]],
])('%j reads %j as %j', (schema, texts, expected) => {
  expect(read(schema, ...texts)).toEqual(expected);
});

test.each([Type.Object({}), Type.Array(Type.Object({})), Type.Union([Type.String(), Type.Null()])])(
  'a parameter that no text spells is refused at start-up: %j',
  (schema) => {
    expect(() => read(schema)).toThrow('parameter p');
  },
);
