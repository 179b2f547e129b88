import Type, { type Static } from 'typebox';
import { AVAILABILITIES } from '../../domain/catalog.ts';
import type { Issue } from '../../domain/errors.ts';
import { type ItemChange, patchItem } from '../../operations/pushes/item-changes.ts';
import type { ItemPatch } from '../../operations/pushes/item-patch.ts';
import { createReader } from '../../schema/reader.ts';
import { readJson } from '../exchange/body.ts';
import type { JsonLine } from '../exchange/json-lines.ts';

/** As in catalogue files. */
const EXTERNAL_ID_MAX = 200;
const VARIANTS_MAX = 2000;

export const ExternalId = Type.String({
  minLength: 1,
  maxLength: EXTERNAL_ID_MAX,
  description: 'The shop’s own identifier of the offering.',
  examples: ['SKU-4431'],
});

const Price = Type.Union([Type.String(), Type.Number(), Type.Null()], {
  description: 'A decimal in major units, such as "19.90"; null for unknown.',
});

const OFFER = {
  price: Type.Optional(Price),
  compareAtPrice: Type.Optional(Price),
  availability: Type.Optional(Type.Enum([...AVAILABILITIES])),
  available: Type.Optional(
    Type.Boolean({ description: 'Short for in_stock and out_of_stock; availability wins.' }),
  ),
};

const text = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description }));
const list = (description: string) =>
  Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()], { description }));

/** The members of an item that searches read or show as text. */
const TEXT = {
  kind: Type.Optional(Type.Enum(['product', 'service'])),
  name: Type.Optional(Type.String()),
  description: text('Plain text, at most 20,000 characters.'),
  image: text('Address of the main picture.'),
  images: list('Addresses of pictures.'),
  slug: text('The path segment of its page.'),
  publicUrl: text('Address of its page.'),
  publishedAt: text('RFC 3339.'),
  vendor: text('Brand or maker.'),
  tags: list('Any words.'),
  productType: text('Category.'),
  sku: text('Stock keeping unit.'),
  mpn: text('The maker’s part number.'),
  bookingUrl: text('Address where a service is booked.'),
  checkoutUrl: text('Address where it is paid.'),
  attributes: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'Further properties: text, numbers, true or false.',
    }),
  ),
};

/** An item as it is put: text is cleaned, and unknown members are ignored, as in an import. */
export const ItemBody = Type.Object({
  type: Type.Optional(Type.Enum(['product', 'context'], { description: 'product by default.' })),
  ...TEXT,
  name: Type.String(),
  currency: Type.Optional(Type.String({ description: 'ISO 4217; the shop’s by default.' })),
  ...OFFER,
  variants: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        title: text('By default made of the options.'),
        sku: text('Stock keeping unit.'),
        image: text('Address of its picture.'),
        options: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: 'Name and value, such as Size: M.',
          }),
        ),
        ...OFFER,
      }),
    ),
  ),
});

/** An item as it is stored, without empty members. */
export const StoredItem = Type.Object({
  id: Type.String({ format: 'uuid' }),
  externalId: Type.String(),
  updatedAt: Type.String({ format: 'date-time' }),
  ...ItemBody.properties,
});

/** A change of one item. */
export const ItemPatchBody = Type.Object(
  {
    ...TEXT,
    ...OFFER,
    variants: Type.Optional(
      Type.Array(
        Type.Object(
          { id: Type.String({ minLength: 1 }), ...OFFER },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: VARIANTS_MAX, description: 'The variants that change.' },
      ),
    ),
  },
  { additionalProperties: false },
);

/** A change of one of several items. */
export const ItemPatchLine = Type.Object(
  { externalId: ExternalId, ...ItemPatchBody.properties },
  { additionalProperties: false },
);

export const readItemPatch = createReader(ItemPatchBody);
const readPatchLine = createReader(ItemPatchLine);

/** The change that a body or a line asks for. */
export function patchOf(
  place: { externalId: string; line: number | null },
  patch: Static<typeof ItemPatchBody>,
): ItemChange {
  const { price, compareAtPrice, availability, available, variants, ...members } = patch;
  const given = { price, compareAtPrice, availability, available, variants };
  const offer = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as ItemPatch;
  return patchItem(place, { offer, members });
}

type ReadRecord = ItemChange | { readonly issues: readonly Issue[] };

/** The change that a line asks for, or what is wrong with it. */
export function readLine({ line, text }: JsonLine): ReadRecord {
  const parsed = readJson(text);
  if ('issue' in parsed) return { issues: [{ path: '', message: parsed.issue, line }] };
  return readRecord(line, parsed.value);
}

export function readRecord(line: number, value: unknown): ReadRecord {
  const reading = readPatchLine(value);
  if ('value' in reading) {
    const { externalId, ...patch } = reading.value;
    return patchOf({ externalId, line }, patch);
  }
  const { externalId } = (value ?? {}) as Partial<Static<typeof ItemPatchLine>>;
  const named = typeof externalId === 'string' && externalId.length <= EXTERNAL_ID_MAX;
  const place = { line, ...(named && { externalId }) };
  return { issues: reading.issues.map((issue) => ({ ...issue, ...place })) };
}
