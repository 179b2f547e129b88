import { isAvailable, type Offering, type Variant } from './catalog.ts';

/** An option of an offering, in which its variants differ. */
export interface VariantOption {
  readonly name: string;
  /** Distinct, in the shop's order. */
  readonly values: readonly string[];
}

/** What variants differ in where the shop names no options: their titles. */
const UNNAMED = 'Variant';

/** Option name → value. A variant without options has its title as its only value. */
export function optionValues({
  title,
  options,
}: Pick<Variant, 'title' | 'options'>): Readonly<Record<string, string>> {
  return Object.keys(options).length === 0 ? { [UNNAMED]: title } : options;
}

export function optionsOf(
  variants: readonly Pick<Variant, 'title' | 'options'>[],
): VariantOption[] {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of variants.flatMap((variant) => Object.entries(optionValues(variant))))
    values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values].map(([name, known]) => ({ name, values: [...known] }));
}

/** What people call a variant: its option values, `M / Red`, else its title. */
export function variantName(variant: Pick<Variant, 'title' | 'options'>): string {
  return Object.values(optionValues(variant)).join(' / ');
}

/** The variant that the offering's own price and availability speak of; null where there are none. */
export function leadingVariant({
  variants,
  priceMinor,
}: Pick<Offering, 'variants' | 'priceMinor'>): Variant | null {
  return (
    variants.find(
      (variant) => variant.priceMinor === priceMinor && isAvailable(variant.availability),
    ) ??
    variants.find(({ availability }) => isAvailable(availability)) ??
    variants[0] ??
    null
  );
}
