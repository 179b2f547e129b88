import { quantityOf } from '../text/units.ts';
import type { Constraint } from './constraints.ts';

/** A demand of the question as an answer tells of it. */
export interface ReportedConstraint {
  readonly kind: 'price' | 'measure' | 'exclude' | 'availability' | 'code';
  /** As asked; a size in its canonical form. */
  readonly text: string;
  readonly min: number | null;
  readonly max: number | null;
  /** ISO 4217, where the question names a currency. */
  readonly currency: string | null;
  /** Of a size. */
  readonly unit: string | null;
  /** True where nothing meets it, so that results are shown which do not. */
  readonly relaxed: boolean;
}

/** Codes, then sizes, then the rest, each in the order of the question. Pure. */
export function reportConstraints({
  codes,
  measures,
  constraints,
  relaxed,
}: {
  codes: readonly { text: string; isKnown: boolean }[];
  /** Sizes that were asked for, and whether any result has them. */
  measures: readonly { term: string; isMet: boolean }[];
  constraints: readonly Constraint[];
  relaxed: ReadonlySet<Constraint>;
}): ReportedConstraint[] {
  const plain = { min: null, max: null, currency: null, unit: null };
  return [
    ...codes.map(({ text, isKnown }) => ({
      ...plain,
      kind: 'code' as const,
      text,
      relaxed: !isKnown,
    })),
    ...measures.map(({ term, isMet }) => {
      const quantity = quantityOf(term);
      const value = quantity?.value ?? null;
      const unit = value === null ? null : quantity!.unit;
      return {
        ...plain,
        kind: 'measure' as const,
        text: spelt(term),
        min: value,
        max: value,
        unit,
        relaxed: !isMet,
      };
    }),
    ...constraints.map((constraint) => {
      const { kind, text } = constraint;
      const reported = { ...plain, kind, text, relaxed: relaxed.has(constraint) };
      if (constraint.kind !== 'price' && constraint.kind !== 'measure') return reported;
      const { min, max } = constraint;
      return constraint.kind === 'price'
        ? { ...reported, min, max, currency: constraint.currency }
        : { ...reported, min, max, unit: constraint.unit };
    }),
  ];
}

/** What is to be said of prices in a currency that is not the items': they are not converted. Null where there is nothing to say. */
export function currencyWarning(
  constraints: readonly Constraint[],
  currencies: ReadonlySet<string>,
): string | null {
  for (const constraint of constraints) {
    if (constraint.kind !== 'price' || constraint.currency === null) continue;
    const others = [...currencies]
      .filter((currency) => currency !== '' && currency !== constraint.currency)
      .sort();
    if (others.length > 0) {
      return `Prices in ${others.join(', ')} are compared with ${constraint.currency} as they are: nothing is converted.`;
    }
  }
  return null;
}

/** The term of a size as a person writes it: `0p5in` → `0.5 in`. */
function spelt(term: string): string {
  return term.replace(/(\d)p(\d)/g, '$1.$2').replace(/^([\d.]+)([a-z]{2,}|[gwvm])$/, '$1 $2');
}
