import { isIP } from 'node:net';
import Type, { type Static, type TSchema } from 'typebox';
import type { Issue } from '../../domain/errors.ts';
import { CLASSIFICATIONS, type HitFields } from '../../domain/hit.ts';
import {
  canonicalAddress,
  isPrivateHeader,
  REDACTED,
  redactHeaderValue,
  redactUrl,
} from '../../domain/private-data.ts';
import type { AcceptedHit } from '../../operations/hits/record-hits.ts';
import { MESSAGE } from '../../schema/keywords.ts';
import { createReader } from '../../schema/reader.ts';

/** Maximum code points of a field. The hit as a whole has its own limit. */
const TEXT_MAX = 8 * 1024;
const HEADERS_MAX = 100;
const HEADER_NAME_MAX = 256;
const OFFERING_ID_MAX = 200;

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,30})?([Zz]|[+-]\d\d:\d\d)?$/;

const NO_DATE = 'must be an RFC 3339 date and time such as 2026-01-31T12:00:00Z';
const NO_URL = 'must be an absolute http or https address';
const NO_ADDRESS = 'must be an IPv4 or IPv6 address';
const NO_HEADERS = { type: 'may hold only text and lists of text' };

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(nullable(schema));

const TEXT_RULES = { maxLength: TEXT_MAX, [MESSAGE]: { type: 'must be text' } };
const Text = Type.String(TEXT_RULES);

const HeaderText = Type.String({ maxLength: TEXT_MAX, [MESSAGE]: NO_HEADERS });

export const HeaderFields = Type.Record(
  Type.String(),
  Type.Union([HeaderText, Type.Array(HeaderText)], { [MESSAGE]: NO_HEADERS }),
  {
    maxProperties: HEADERS_MAX,
    propertyNames: { maxLength: HEADER_NAME_MAX },
    description: 'The values of cookies, keys, authorization headers and addresses are not stored.',
  },
);

/** A hit as a client sends it. */
export const HitBody = Type.Object({
  organization: Type.String({
    minLength: 1,
    description: 'Id or slug of the key’s own organization.',
    [MESSAGE]: {
      type: 'must be the id or slug of an organization',
      minLength: 'must be the id or slug of an organization',
    },
  }),
  eventDate: Type.Refine(
    Type.String({
      pattern: RFC_3339.source,
      description: 'RFC 3339 date and time, past or future; UTC if it has no offset.',
      [MESSAGE]: NO_DATE,
    }),
    (text) => parseInstant(text) !== null,
    () => NO_DATE,
  ),
  classification: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_.:-]{0,63}$',
    description: `What happened, as any identifier. Reports recognize ${CLASSIFICATIONS.join(', ')}.`,
    [MESSAGE]:
      'must begin with a letter and hold at most 64 letters, digits and _ . : -, such as search',
  }),
  method: maybe(
    Type.String({
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,32}$",
      [MESSAGE]: 'must be an HTTP method such as GET',
    }),
  ),
  path: maybe(Text),
  url: maybe(
    Type.Refine(
      Type.String({
        ...TEXT_RULES,
        pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
        description: 'An absolute http or https URL.',
        [MESSAGE]: { type: 'must be text', pattern: NO_URL },
      }),
      (text) => URL.canParse(text),
      () => NO_URL,
    ),
  ),
  userAgent: maybe(Text),
  clientIp: maybe(
    Type.Refine(
      Type.String({ description: 'IPv4 or IPv6.', [MESSAGE]: NO_ADDRESS }),
      (text) => isIP(text) > 0,
      () => NO_ADDRESS,
    ),
  ),
  botScore: maybe(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Higher for programs. To convert Cloudflare’s bot score, send (100 - score) / 100.',
      [MESSAGE]:
        'must be a number from 0 to 1, higher for programs; of Cloudflare’s score from 1 to 99 send (100 - score) / 100',
    }),
  ),
  verifiedBot: maybe(Type.Boolean()),
  headers: maybe(HeaderFields),
  cf: maybe(Type.Record(Type.String(), Type.Unknown())),
  offeringId: maybe(
    Type.String({
      minLength: 1,
      maxLength: OFFERING_ID_MAX,
      description: 'The offering that the event is about: its id, external id, SKU or slug.',
    }),
  ),
});

/** A validated hit with its organization, or every fault of the hit. */
export type ReadHit =
  | { readonly organization: string; readonly hit: AcceptedHit }
  | { readonly issues: readonly Issue[] };

/** Treats null as absent. */
const readBody = createReader(HitBody, { nullIsAbsent: true });

/** Reads one hit of a body and redacts secrets. Ignores unknown members. */
export function readHit(body: unknown): ReadHit {
  const reading = readBody(body);
  if ('issues' in reading) return reading;
  const { organization, ...sent } = reading.value;
  const fields: HitFields = {
    eventDate: sent.eventDate,
    classification: sent.classification,
    method: sent.method ?? null,
    path: mapped(sent.path, redactUrl),
    url: mapped(sent.url, redactUrl),
    userAgent: sent.userAgent ?? null,
    clientIp: mapped(sent.clientIp, canonicalAddress),
    botScore: sent.botScore ?? null,
    verifiedBot: sent.verifiedBot ?? null,
    headers: mapped(sent.headers, redactHeaders),
    cf: mapped(sent.cf, redactMembers),
    ...(typeof sent.offeringId === 'string' && { offeringId: sent.offeringId }),
  };
  return { organization, hit: { fields, eventMs: parseInstant(sent.eventDate)! } };
}

/**
 * Milliseconds since the epoch; null for a date that does not exist. Without an offset it is UTC.
 */
function parseInstant(text: string): number | null {
  const parts = RFC_3339.exec(text);
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    ...[number, number, number, number, number, number],
  ];
  const [offsetHours, offsetMinutes] = /^[Zz]?$/.test(parts[8] ?? '')
    ? [0, 0]
    : [Number(parts[8]!.slice(0, 3)), Number(`${parts[8]![0]}${parts[8]!.slice(4)}`)];
  const isTime = hour <= 23 && minute <= 59 && second <= 60;
  const isOffset = Math.abs(offsetHours) <= 23 && Math.abs(offsetMinutes) <= 59;
  if (!isTime || !isOffset) return null;
  const date = new Date(0);
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const milliseconds = Math.floor(Number(parts[7] ?? 0) * 1000);
  // POSIX time has no instant for a leap second.
  date.setUTCHours(hour, minute, Math.min(second, 59), second === 60 ? 999 : milliseconds);
  return date.getTime() - (offsetHours * 60 + offsetMinutes) * 60_000;
}

function redactHeaders(headers: Static<typeof HeaderFields>): NonNullable<HitFields['headers']> {
  const kept = Object.entries(headers).map(([name, content]) => {
    const redact = isPrivateHeader(name) ? () => REDACTED : redactHeaderValue;
    return [name, Array.isArray(content) ? content.map(redact) : redact(content)] as const;
  });
  return Object.fromEntries(kept);
}

type Members = Readonly<Record<string, unknown>>;

function redactMembers(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      typeof member === 'string' && isPrivateHeader(name) ? REDACTED : redactValue(member),
    ]),
  );
}

/** Redacts secrets and addresses at any depth. The nesting limit of bodies bounds the recursion. */
function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactHeaderValue(value);
  if (Array.isArray(value)) return value.map(redactValue);
  return typeof value === 'object' && value !== null ? redactMembers(value as Members) : value;
}

function mapped<Value, Result>(
  value: Value | null | undefined,
  map: (value: Value) => Result,
): Result | null {
  return value === null || value === undefined ? null : map(value);
}
