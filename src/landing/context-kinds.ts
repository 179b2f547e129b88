import type { Context } from '../domain/catalog.ts';

export type ContextKind = 'policy' | 'contact' | 'other';

/** Words of titles, in the languages that shops most often write them in. The first kind that fits. */
const TITLES: readonly (readonly [ContextKind, RegExp])[] = [
  [
    'policy',
    /return|refund|exchange|shipping|deliver|dispatch|payment|paying|warrant|guarantee|privacy|data protection|terms|conditions|cancel|withdrawal|gift card|voucher|polic(?:y|ies)|customs|tax|rückgabe|rücksend|widerruf|umtausch|versand|liefer|zahlung|garantie|gewährleistung|datenschutz|agb|gutschein|retour|rembours|livraison|expédition|paiement|confidentialité|cgv|devoluci|reembolso|envío|entrega|pago|garantía|privacidad|spedizion|conseg|resi\b|rimbors|pagament|garanzi|verzend|bezorg|betal|zwrot|dostaw|płatno/iu,
  ],
  [
    'contact',
    /contact|kontakt|imprint|impressum|legal notice|mentions légales|opening|hours|öffnungszeit|anfahrt|horaires|horario|orari|openingstijden|godziny|contatt|where to find|find us|visit us|our stores?|store locat|location/iu,
  ],
];

/** What an assistant would look a text up for, told by its title and address. */
export function contextKind({ name, externalId, publicUrl }: Context): ContextKind {
  const path = publicUrl === null ? '' : new URL(publicUrl).pathname;
  const hints = `${name} ${externalId} ${path}`.replace(/[-_/]+/g, ' ');
  return TITLES.find(([, words]) => words.test(hints))?.[0] ?? 'other';
}
