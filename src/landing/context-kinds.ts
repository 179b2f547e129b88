import type { Context } from '../domain/catalog.ts';

export type ContextKind = 'policy' | 'contact' | 'other';

/** Words in titles, in the most common shop languages; the most requested texts come first. */
const TITLES: readonly (readonly [ContextKind, RegExp])[] = [
  [
    'policy',
    /return|refund|exchange|cancel|withdrawal|rückgabe|rücksend|widerruf|umtausch|retour|rembours|devoluci|reembolso|\bresi\b|rimbors|zwrot/iu,
  ],
  [
    'policy',
    /shipping|deliver|dispatch|customs|versand|liefer|livraison|expédition|envío|entrega|spedizion|conseg|verzend|bezorg|dostaw/iu,
  ],
  ['policy', /payment|paying|\btax|zahlung|paiement|\bpago|pagament|betal|płatno/iu],
  ['policy', /warrant|guarantee|garant|gewährleistung|garanzi/iu],
  ['policy', /gift card|voucher|gutschein/iu],
  [
    'policy',
    /privacy|data protection|terms|conditions|polic(?:y|ies)|datenschutz|\bagb\b|confidentialité|\bcgv\b|privacidad/iu,
  ],
  [
    'contact',
    /contact|kontakt|imprint|impressum|legal notice|mentions légales|opening|hours|öffnungszeit|anfahrt|horaires|horario|orari|openingstijden|godziny|contatt|where to find|find us|visit us|our stores?|store locat|location/iu,
  ],
];

/** Classifies a text by its title and URL, and ranks it by how often buyers ask for it. */
export function classifyContext({ name, externalId, publicUrl }: Context): {
  readonly kind: ContextKind;
  readonly place: number;
} {
  const path = publicUrl === null ? '' : new URL(publicUrl).pathname;
  const hints = `${name} ${externalId} ${path}`.replace(/[-_/]+/g, ' ');
  const place = TITLES.findIndex(([, words]) => words.test(hints));
  return { kind: TITLES[place]?.[0] ?? 'other', place };
}
