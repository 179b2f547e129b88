import Type, { type Static } from 'typebox';
import { PropertyMap } from '../../collections/property-map.ts';
import { isAvailable, type Variant } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { optionsOf, optionValues, variantName } from '../../domain/variants.ts';
import type { Translator } from '../../messages/translator.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';
import { fenced, oneLine } from './catalogue-text.ts';
import { bytesOf, priceWords } from './offering-text.ts';
import { NullableString } from './tool.ts';

/** Variants in an answer. */
const VARIANTS_MAX = 10;
/** Values of an option in an answer, and in its text. */
const VALUES_MAX = 30;
const VALUES_IN_TEXT_MAX = 10;

/** Bytes of the names of members and of our own words about a choice. */
const CHOICE_FRAME_BYTES = 300;

export const VariantReference = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'Which variant, if there are several: “M / Red”, its id or SKU',
  }),
);

/** What an offering with several variants tells of them. */
export const VARIANT_FIELDS = {
  options: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        values: Type.Array(Type.String()),
        soldOut: Type.Array(Type.String()),
      }),
    ),
  ),
  variants: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        price: NullableString,
        available: Type.Boolean(),
      }),
    ),
  ),
  variantCount: Type.Optional(Type.Integer()),
  matchedVariant: Type.Optional(
    Type.Object({ id: Type.String(), title: Type.String(), open: Type.Array(Type.String()) }),
  ),
};

const Fields = Type.Object(VARIANT_FIELDS);
type Choice = NonNullable<SearchResult['choice']>;

interface OfVariants {
  readonly variants: readonly Variant[];
  readonly currency: string;
}

/** The members of `VARIANT_FIELDS`. */
export function variantFields(
  { ordered, matched, open }: Choice,
  { variants, currency }: OfVariants,
  translator: Translator,
): Static<typeof Fields> {
  return {
    options: describeOptions(variants, translator).options,
    variants: listedVariants(ordered, currency),
    variantCount: variants.length,
    ...(matched !== null && {
      matchedVariant: { id: matched.id, title: variantName(matched), open: [...open] },
    }),
  };
}

/** At least the bytes of `variantFields` and `choiceLine`, as JSON. */
export function choiceBytes(
  { ordered, matched, open }: Choice,
  { variants, currency }: OfVariants,
  translator: Translator,
): number {
  let bytes = describeOptions(variants, translator).bytes;
  for (const variant of ordered.slice(0, VARIANTS_MAX)) bytes += listed(variant, currency).bytes;
  // What is chosen stands in the text and in `matchedVariant`, with the options that are open.
  if (matched !== null) bytes += 3 * listed(matched, currency).bytes;
  for (const name of open) bytes += 2 * bytesOf(name);
  return bytes + CHOICE_FRAME_BYTES;
}

/** As many variants as an answer may have. */
export function listedVariants(variants: readonly Variant[], currency: string): ListedVariant[] {
  return variants.slice(0, VARIANTS_MAX).map((variant) => listed(variant, currency).told);
}

type ListedVariant = NonNullable<Static<typeof Fields>['variants']>[number];

interface Listed {
  readonly told: ListedVariant;
  /** Of its JSON, and a comma. */
  readonly bytes: number;
}

/** Documents that are shown again keep their variants. */
const LISTED = new PropertyMap<Variant, Listed>();

function listed(variant: Variant, currency: string): Listed {
  let known = LISTED.get(variant);
  if (known === undefined) {
    const told = {
      id: variant.id,
      title: variantName(variant),
      price: priceText(variant.priceMinor, currency),
      available: isAvailable(variant.availability),
    };
    known = { told, bytes: Buffer.byteLength(JSON.stringify(told)) + 1 };
    LISTED.set(variant, known);
  }
  return known;
}

/** The pictures of the variants that an answer has, by their ids; null if none has one of its own. */
export function imagesOf(variants: readonly Variant[]): Record<string, string> | null {
  const pictured = variants.slice(0, VARIANTS_MAX).filter(({ image }) => image !== null);
  return pictured.length === 0
    ? null
    : Object.fromEntries(pictured.map(({ id, image }) => [id, image!]));
}

function soldOutValues(
  variants: readonly Variant[],
  name: string,
  values: readonly string[],
): string[] {
  const available = variants.filter(({ availability }) => isAvailable(availability));
  const ordered = new Set(available.map((variant) => optionValues(variant)[name]));
  return values.filter((value) => !ordered.has(value));
}

/** What can be chosen: `Options: Size S, M, L (sold out); Colour Red, Blue.` */
export function optionsLine(variants: readonly Variant[], translator: Translator): string {
  return describeOptions(variants, translator).line;
}

interface OptionsDescribed {
  readonly translator: Translator;
  /** Of the options and the line, as JSON. */
  readonly bytes: number;
  readonly options: NonNullable<Static<typeof Fields>['options']>;
  readonly line: string;
}

/** Documents that are shown again keep their variants, and with them what is said of these. */
const DESCRIBED = new PropertyMap<readonly Variant[], OptionsDescribed>();

function describeOptions(variants: readonly Variant[], translator: Translator): OptionsDescribed {
  let described = DESCRIBED.get(variants);
  if (described?.translator !== translator) {
    const options = optionsOf(variants).map(({ name, values }) => ({
      name,
      values: values.slice(0, VALUES_MAX),
      soldOut: soldOutValues(variants, name, values).slice(0, VALUES_MAX),
    }));
    const line = translator.text('variant.options', {
      options: options.map((option) => optionWords(option, translator)).join('; '),
    });
    const bytes = Buffer.byteLength(JSON.stringify(options)) + bytesOf(line);
    described = { translator, options, line, bytes };
    DESCRIBED.set(variants, described);
  }
  return described;
}

function optionWords(
  { name, values, soldOut }: OptionsDescribed['options'][number],
  { text }: Translator,
): string {
  const named = values
    .slice(0, VALUES_IN_TEXT_MAX)
    .map((value) =>
      soldOut.includes(value) ? text('variant.soldOut', { value: oneLine(value) }) : oneLine(value),
    );
  const more = values.length > named.length ? ['…'] : [];
  return `${oneLine(name)} ${[...named, ...more].join(', ')}`;
}

/**
 * The same, and what the words have chosen: `Chosen: M / Red 22.00 EUR, in stock [variant 42].` Nothing is
 * chosen while options are open: the line then names the cheapest variant that fits.
 */
export function choiceLine(
  { matched, fitting, open }: Choice,
  { variants, currency }: OfVariants,
  translator: Translator,
): string {
  const { text } = translator;
  const all = optionsLine(variants, translator);
  if (fitting.length === 0) return `${all} ${text('variant.none')}`;
  if (matched === null) return all;
  const variant = variantWords(matched, currency, translator);
  const settled =
    open.length === 0
      ? text('variant.chosen', { variant })
      : text('variant.cheapest', { variant, options: open.map(oneLine).join(', ') });
  return `${all} ${settled}`;
}

function variantWords(variant: Variant, currency: string, translator: Translator): string {
  const line = translator.text('variant.line', {
    name: oneLine(variantName(variant)),
    price: priceWords({ ...variant, compareAtPriceMinor: null, currency }, translator),
    availability: translator.text(`availability.${variant.availability}`),
  });
  return `${line} [variant ${oneLine(variant.id)}]`;
}

/** Variants of which one has to be chosen, a line each, as text of the catalogue. */
export function choiceList(
  choices: readonly Variant[],
  currency: string,
  translator: Translator,
): string[] {
  const lines = variantLines(choices, currency, translator);
  const count = choices.length - lines.length;
  const more = count === 0 ? [] : [translator.text('variant.more', { count })];
  return [...fenced(lines), ...more];
}

/** As many variants as an answer may have, a line each. */
export function variantLines(
  variants: readonly Variant[],
  currency: string,
  translator: Translator,
): string[] {
  return variants
    .slice(0, VARIANTS_MAX)
    .map((variant) => `- ${variantWords(variant, currency, translator)}`);
}

/** An offering's name with the variant that is meant. */
export function nameWithVariant(name: string, variant: Variant | null): string {
  const own = variant === null ? '' : variantName(variant);
  return own === '' || own === name ? name : `${name}, ${own}`;
}
