import { AppError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money.ts';
import { parseWebUrl } from '../../domain/web-url.ts';

/** What operators write about a shop, in the form in which it is stored. Each throws `invalid_input`. */

/** `https://Shop.example/` and `shop.example` both mean `shop.example`. */
export function parseDomain(text: string): string {
  const url = parseWebUrl(text.includes('://') ? text : `https://${text}`);
  const host = url === null ? null : new URL(url).host;
  if (host === null || !/^[a-z0-9.-]+(?::\d+)?$/.test(host)) {
    throw new AppError('invalid_input', 'A domain is a host name such as shop.example.');
  }
  return host;
}

export function parseCurrency(text: string): string {
  const currency = text.toUpperCase();
  if (isCurrency(currency)) return currency;
  throw new AppError('invalid_input', 'A currency is an ISO 4217 code such as EUR.');
}

export function parseLocale(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? 'en';
  } catch (cause) {
    throw new AppError('invalid_input', 'A locale is a language tag such as en or de-AT.', {
      cause,
    });
  }
}
