import { describe, expect, test } from 'bun:test';
import Type, { type TSchema } from 'typebox';
import { MESSAGE } from '../../src/schema/keywords.ts';
import { createReader, type ReaderOptions } from '../../src/schema/reader.ts';

const LIMITED = Type.String({ minLength: 1, maxLength: 3, pattern: '^[a-z]*$' });

/** The value read, or the faults as "path message". */
function read(schema: TSchema, value: unknown, options?: ReaderOptions): unknown {
  const reading = createReader(schema, options)(value);
  return 'value' in reading
    ? reading.value
    : reading.issues.map(({ path, message }) => `${path} ${message}`.trim());
}

const CASES: readonly [TSchema, unknown, unknown, ReaderOptions?][] = [
  [LIMITED, 'abc', 'abc'],
  [LIMITED, 1, ['must be a string']],
  [LIMITED, '', ['must not be empty']],
  [LIMITED, 'abcd', ['is longer than 3 characters']],
  [LIMITED, 'A', ['does not have the right form']],
  [LIMITED, 'a\0', ['holds a character that is not allowed']],
  [LIMITED, ' a ', 'a', { trimsText: true }],
  [LIMITED, '  ', ['must hold more than blanks'], { trimsText: true }],
  [Type.String({ maxLength: 2 }), '🐳🐳', '🐳🐳'],
  [Type.String({ maxLength: 2 }), '🐳🐳🐳', ['is longer than 2 characters']],
  [Type.Number({ minimum: 0, maximum: 1 }), 0.5, 0.5],
  [Type.Number({ minimum: 0, maximum: 1 }), 1.001, ['must be a number from 0 to 1']],
  [Type.Number(), Number.NaN, ['must be a number']],
  [Type.Integer({ minimum: 1 }), 1.5, ['must be a whole number, at least 1']],
  [Type.Integer({ maximum: 9 }), 2 ** 53, ['must be a whole number, at most 9']],
  [Type.Boolean(), 'true', ['must be true or false']],
  [Type.Enum(['a', 'b']), 'c', ['must be one of a, b']],
  [Type.Literal('a'), 'b', ['must be one of a']],
  [Type.Array(Type.Integer(), { minItems: 1, maxItems: 2 }), [1, 2], [1, 2]],
  [Type.Array(Type.Integer(), { minItems: 1, maxItems: 2 }), [], ['has fewer than 1 items']],
  [Type.Array(Type.Integer(), { maxItems: 1 }), [1, 2], ['has more than 1 items']],
  [Type.Array(Type.Integer()), ['a'], ['0 must be a whole number']],
  [Type.Array(Type.Integer()), {}, ['must be a list']],
  [Type.Union([Type.String(), Type.Null()]), null, null],
  [Type.Union([Type.String(), Type.Null()]), 1, ['must be a string']],
  [Type.Unsafe({ type: ['string', 'null'], maxLength: 1 }), null, null],
  [Type.Unsafe({ type: ['string', 'null'], maxLength: 1 }), 'ab', ['is longer than 1 characters']],
  [Type.Union([Type.String(), Type.Boolean()]), 1, ['must be of type string or boolean']],
  [Type.Union([Type.Enum([0, 1]), Type.Null()]), 1, 1],
  [Type.Union([Type.Enum([0, 1]), Type.Null()]), 2, ['must be one of 0, 1']],
  [Type.Tuple([Type.String(), Type.Integer()]), ['a', 1], ['a', 1]],
  [Type.Tuple([Type.String(), Type.Integer()]), ['a', 'b'], ['1 must be a whole number']],
  [Type.Tuple([Type.String(), Type.Integer()]), ['a'], ['must be a list of 2 items']],
  [Type.Unknown(), { any: ['thing'] }, { any: ['thing'] }],
];

test.each(
  CASES.map(
    ([schema, value, expected, options = {}]) => [schema, value, expected, options] as const,
  ),
)('%j reads %j as %j', (schema, value, expected, options) => {
  expect(read(schema, value, options)).toEqual(expected);
});

describe('objects', () => {
  const schema = Type.Object({
    name: LIMITED,
    count: Type.Integer({ default: 7 }),
    inner: Type.Optional(Type.Object({ at: Type.Number() })),
  });

  test('defaults are filled in, unknown members left out', () => {
    expect(read(schema, { name: 'a', colour: 'red' })).toEqual({ name: 'a', count: 7 });
  });

  test('reports all faults at once, each with its path', () => {
    expect(read(schema, { count: '1', inner: { at: null } })).toEqual([
      'name is required',
      'count must be a whole number',
      'inner.at must be a number',
    ]);
  });

  test('null is a value, unless the reader treats it as absent', () => {
    expect(read(schema, { name: null })).toEqual(['name must be a string']);
    expect(read(schema, { name: null, count: null }, { nullIsAbsent: true })).toEqual([
      'name is required',
    ]);
  });

  test('inherited properties are not members', () => {
    const inherited = Type.Object({ constructor: Type.Optional(Type.String()) });
    expect(read(inherited, {})).toEqual({});
  });

  test('faults of a record never quote the caller’s names', () => {
    const record = Type.Record(Type.String(), Type.String({ maxLength: 2 }), {
      maxProperties: 2,
      propertyNames: { maxLength: 9 },
    });
    expect(read(record, { a: 'x', b: 'y' })).toEqual({ a: 'x', b: 'y' });
    expect(read(record, { a: 'xyz' })).toEqual(['has a value longer than 2 characters']);
    expect(read(record, { abcdefghij: '' })).toEqual(['has a name longer than 9 characters']);
    expect(read(record, { a: '', b: '', c: '' })).toEqual(['has more than 2 members']);
    const own = JSON.parse('{"__proto__":"x"}') as object;
    expect(Object.keys(read(record, own) as object)).toEqual(['__proto__']);
  });
});

describe('a schema’s own messages', () => {
  test('replace every message, or those of some keywords', () => {
    const every = Type.String({ maxLength: 1, [MESSAGE]: 'must be a letter' });
    expect([read(every, 1), read(every, 'ab')]).toEqual([
      ['must be a letter'],
      ['must be a letter'],
    ]);
    const one = Type.String({ maxLength: 1, [MESSAGE]: { type: 'must be text' } });
    expect([read(one, 1), read(one, 'ab')]).toEqual([
      ['must be text'],
      ['is longer than 1 characters'],
    ]);
    expect(JSON.stringify(every)).toBe('{"type":"string","maxLength":1}');
  });

  test('a refinement is asked about values without other faults, optional ones too', () => {
    const even = Type.Refine(
      Type.Integer(),
      (value) => value % 2 === 0,
      () => 'must be even',
    );
    expect([read(even, 2), read(even, 1), read(even, 'a')]).toEqual([
      2,
      ['must be even'],
      ['must be a whole number'],
    ]);
    const optional = Type.Object({ even: Type.Optional(even) });
    expect([read(optional, {}), read(optional, { even: 1 })]).toEqual([{}, ['even must be even']]);
  });
});

test.each<[string, TSchema]>([
  ['multipleOf', Type.Number({ multipleOf: 2 })],
  ['format', Type.String({ format: 'uuid' })],
  ['uniqueItems', Type.Array(Type.String(), { uniqueItems: true })],
  ['minProperties', Type.Object({}, { minProperties: 1 })],
  ['additionalProperties', Type.Object({}, { additionalProperties: Type.String() })],
  ['allOf', Type.Intersect([Type.Object({}), Type.Object({})])],
  ['anyOf', Type.Union([Type.String(), Type.Literal('a')])],
  ['patternProperties', Type.Record(Type.String({ pattern: '^x-' }), Type.String())],
  ['type', Type.Unsafe({ type: 'money' })],
  ['multipleOf', Type.Object({ a: Type.Array(Type.Number({ multipleOf: 2 })) })],
])('a schema that demands what is not enforced (%s) is refused at start-up', (keyword, schema) => {
  expect(() => createReader(schema)).toThrow(keyword);
});
