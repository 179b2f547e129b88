import Type, { type Static } from 'typebox';
import { isAvailable, type Variant } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { optionsOf, optionValues, variantName } from '../../domain/variants.ts';
import type { SearchResult } from '../../operations/search/search-catalog.ts';
import { fenced, oneLine } from './catalogue-text.ts';
import { AVAILABILITY_WORDS, priceWords } from './offering-text.ts';
import { NullableString } from './tool.ts';

/** Variants in an answer. */
const VARIANTS_MAX = 10;
/** Values of an option in an answer, and in its text. */
const VALUES_MAX = 30;
const VALUES_IN_TEXT_MAX = 10;

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

/** The members of `VARIANT_FIELDS`. */
export function variantFields(
  { ordered, matched, open }: Choice,
  { variants, currency }: { readonly variants: readonly Variant[]; readonly currency: string },
): Static<typeof Fields> {
  return {
    options: describeOptions(variants).options,
    variants: listedVariants(ordered, currency),
    variantCount: variants.length,
    ...(matched !== null && {
      matchedVariant: { id: matched.id, title: variantName(matched), open: [...open] },
    }),
  };
}

/** As many variants as an answer may have. */
export function listedVariants(variants: readonly Variant[], currency: string) {
  return variants.slice(0, VARIANTS_MAX).map((variant) => ({
    id: variant.id,
    title: variantName(variant),
    price: priceText(variant.priceMinor, currency),
    available: isAvailable(variant.availability),
  }));
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
export function optionsLine(variants: readonly Variant[]): string {
  return describeOptions(variants).line;
}

interface OptionsDescribed {
  readonly options: NonNullable<Static<typeof Fields>['options']>;
  readonly line: string;
}

/** Documents that are shown again keep their variants, and with them what is said of these. */
const DESCRIBED = new WeakMap<readonly Variant[], OptionsDescribed>();

function describeOptions(variants: readonly Variant[]): OptionsDescribed {
  let described = DESCRIBED.get(variants);
  if (described === undefined) {
    const options = optionsOf(variants).map(({ name, values }) => ({
      name,
      values: values.slice(0, VALUES_MAX),
      soldOut: soldOutValues(variants, name, values).slice(0, VALUES_MAX),
    }));
    described = { options, line: `Options: ${options.map(optionWords).join('; ')}.` };
    DESCRIBED.set(variants, described);
  }
  return described;
}

function optionWords({ name, values, soldOut }: OptionsDescribed['options'][number]): string {
  const named = values
    .slice(0, VALUES_IN_TEXT_MAX)
    .map((value) => oneLine(value) + (soldOut.includes(value) ? ' (sold out)' : ''));
  const more = values.length > named.length ? ['…'] : [];
  return `${oneLine(name)} ${[...named, ...more].join(', ')}`;
}

/** The same, and what the words have chosen: `Chosen: M / Red 22.00 EUR, in stock [variant 42].` */
export function choiceLine(
  { matched, fitting, open }: Choice,
  { variants, currency }: { readonly variants: readonly Variant[]; readonly currency: string },
): string {
  const all = optionsLine(variants);
  if (fitting.length === 0) return `${all} No variant has all that was asked for.`;
  if (matched === null) return all;
  const rest = open.length === 0 ? '' : ` Still to choose: ${open.map(oneLine).join(', ')}.`;
  return `${all} Chosen: ${variantWords(matched, currency)}.${rest}`;
}

function variantWords(variant: Variant, currency: string): string {
  const { id, availability } = variant;
  const price = priceWords({ ...variant, compareAtPriceMinor: null, currency });
  return `${oneLine(variantName(variant))} ${price}, ${AVAILABILITY_WORDS[availability]} [variant ${oneLine(id)}]`;
}

/** Variants of which one has to be chosen, a line each, as text of the catalogue. */
export function choiceList(choices: readonly Variant[], currency: string): string[] {
  const listed = choices
    .slice(0, VARIANTS_MAX)
    .map((variant) => `- ${variantWords(variant, currency)}`);
  const more = choices.length - listed.length;
  return [...fenced(listed), ...(more === 0 ? [] : [`${more} more: name its options in words.`])];
}

/** An offering's name with the variant that is meant. */
export function nameWithVariant(name: string, variant: Variant | null): string {
  const own = variant === null ? '' : variantName(variant);
  return own === '' || own === name ? name : `${name}, ${own}`;
}
