import type { Message } from '../../messages/wording.ts';
import { quantityOf } from '../text/units.ts';
import type { Constraint } from './constraints.ts';

/** A constraint of the question, as an answer reports it. */
export interface ReportedConstraint {
  readonly kind: 'price' | 'measure' | 'exclude' | 'availability' | 'code' | 'order';
  /** As asked; a size in its canonical form. */
  readonly text: string;
  readonly min: number | null;
  readonly max: number | null;
  /** ISO 4217 code; null if the question names no currency. */
  readonly currency: string | null;
  /** The unit of a size. */
  readonly unit: string | null;
  /** True if nothing meets the constraint, so that the results do not meet it either. */
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
  /** The sizes asked for, and whether any result has them. */
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

/**
 * A warning if the question's currency is not the items' currency: amounts are not converted. Null
 * if no warning is needed.
 */
export function currencyWarning(
  constraints: readonly Constraint[],
  currencies: () => ReadonlySet<string>,
): Message | null {
  for (const constraint of constraints) {
    if (constraint.kind !== 'price' || constraint.currency === null) continue;
    const others = [...currencies()]
      .filter((currency) => currency !== '' && currency !== constraint.currency)
      .sort();
    if (others.length > 0) {
      const values = { currencies: others.join(', '), currency: constraint.currency };
      return ['warning.currency', values];
    }
  }
  return null;
}

/** The term of a size in readable form: `0p5in` → `0.5 in`. */
function spelt(term: string): string {
  return term.replace(/(\d)p(\d)/g, '$1.$2').replace(/^([\d.]+)([a-z]{2,}|[gwvm])$/, '$1 $2');
}
