import { isIP } from 'node:net';
import type { Issue } from '../domain/errors.ts';
import type { HitFields } from '../domain/hit.ts';
import {
  canonicalAddress,
  isPrivateHeader,
  REDACTED,
  redactHeaderValue,
  redactUrl,
} from '../domain/private-data.ts';
import type { AcceptedHit } from '../operations/hits/record-hits.ts';

/** Limits of single fields; the hit as a whole has one of its own. */
const TEXT_MAX = 8 * 1024;
const HEADERS_MAX = 100;
const HEADER_NAME_MAX = 256;

const CLASSIFICATION = /^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/;
const METHOD = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,32}$/;
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,30})?([Zz]|[+-]\d\d:\d\d)?$/;

/** A hit as it was sent, checked: what it is and for whom, or everything that is wrong with it. */
export type ReadHit =
  | { readonly organization: string; readonly hit: AcceptedHit }
  | { readonly issues: readonly Issue[] };

type Reading<Value> = { readonly value: Value } | { readonly issue: string };

type Members = Readonly<Record<string, unknown>>;

/** One hit of a body. Unknown members are ignored; null is the same as nothing. */
export function readHit(body: unknown): ReadHit {
  if (!isObject(body)) return { issues: [{ path: '', message: 'must be an object' }] };
  const issues: Issue[] = [];
  const read = <Value>(name: string, check: (value: unknown) => Reading<Value>): Value | null => {
    const value = body[name] ?? null;
    if (value === null) return null;
    const reading = check(value);
    if ('value' in reading) return reading.value;
    issues.push({ path: name, message: reading.issue });
    return null;
  };
  const require = <Value>(name: string, check: (value: unknown) => Reading<Value>): Value => {
    if ((body[name] ?? null) === null) issues.push({ path: name, message: 'is required' });
    // Whatever stands for a missing value: it is used only when there are no issues.
    return read(name, check) as Value;
  };
  const organization = require('organization', readOrganization);
  const date = require('eventDate', readEventDate);
  const fields: HitFields = {
    eventDate: date?.text,
    classification: require('classification', readClassification),
    method: read('method', readMethod),
    path: read('path', (value) => mapped(readText(value), redactUrl)),
    url: read('url', readUrl),
    userAgent: read('userAgent', readText),
    clientIp: read('clientIp', readAddress),
    botScore: read('botScore', readBotScore),
    verifiedBot: read('verifiedBot', readBoolean),
    headers: read('headers', readHeaders),
    cf: read('cf', readMetadata),
  };
  return issues.length > 0 ? { issues } : { organization, hit: { fields, eventMs: date.ms } };
}

function readOrganization(value: unknown): Reading<string> {
  return typeof value === 'string' && value !== ''
    ? { value }
    : { issue: 'must be the id or slug of an organization' };
}

function readEventDate(value: unknown): Reading<{ text: string; ms: number }> {
  const ms = typeof value === 'string' ? parseInstant(value) : null;
  return ms === null
    ? { issue: 'must be an RFC 3339 date and time such as 2026-01-31T12:00:00Z' }
    : { value: { text: value as string, ms } };
}

/** Milliseconds since the epoch; null for what is no date. Without an offset it is UTC. */
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
  // Not by Date.UTC, which takes the years 0 to 99 for those of the last century.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const milliseconds = Math.floor(Number(parts[7] ?? 0) * 1000);
  // A leap second has no instant of its own.
  date.setUTCHours(hour, minute, Math.min(second, 59), second === 60 ? 999 : milliseconds);
  return date.getTime() - (offsetHours * 60 + offsetMinutes) * 60_000;
}

function readClassification(value: unknown): Reading<string> {
  return typeof value === 'string' && CLASSIFICATION.test(value)
    ? { value }
    : {
        issue:
          'must begin with a letter and hold at most 64 letters, digits and _ . : -, such as search',
      };
}

function readMethod(value: unknown): Reading<string> {
  return typeof value === 'string' && METHOD.test(value)
    ? { value }
    : { issue: 'must be an HTTP method such as GET' };
}

function readText(value: unknown): Reading<string> {
  if (typeof value !== 'string') return { issue: 'must be text' };
  return value.length > TEXT_MAX ? { issue: `is longer than ${TEXT_MAX} characters` } : { value };
}

function readUrl(value: unknown): Reading<string> {
  const reading = readText(value);
  if ('issue' in reading) return reading;
  const isWeb = URL.canParse(reading.value) && /^https?:\/\//i.test(reading.value);
  return isWeb
    ? { value: redactUrl(reading.value) }
    : { issue: 'must be an absolute http or https address' };
}

function readAddress(value: unknown): Reading<string> {
  const address = typeof value === 'string' && isIP(value) > 0 ? canonicalAddress(value) : null;
  return address === null ? { issue: 'must be an IPv4 or IPv6 address' } : { value: address };
}

function readBotScore(value: unknown): Reading<number> {
  return typeof value === 'number' && value >= 0 && value <= 1
    ? { value }
    : {
        issue:
          'must be a number from 0 to 1, higher for programs; of Cloudflare’s score from 1 to 99 send (100 - score) / 100',
      };
}

function readBoolean(value: unknown): Reading<boolean> {
  return typeof value === 'boolean' ? { value } : { issue: 'must be true or false' };
}

/** Values are text, or lists of text for headers that came several times. */
function readHeaders(value: unknown): Reading<NonNullable<HitFields['headers']>> {
  if (!isObject(value)) return { issue: 'must be an object' };
  const entries = Object.entries(value);
  if (entries.length > HEADERS_MAX) return { issue: `has more than ${HEADERS_MAX} members` };
  if (entries.some(([name]) => name.length > HEADER_NAME_MAX))
    return { issue: `has a name longer than ${HEADER_NAME_MAX} characters` };
  const texts = entries.flatMap(([, content]) => (Array.isArray(content) ? content : [content]));
  if (!texts.every((text) => typeof text === 'string'))
    return { issue: 'may hold only text and lists of text' };
  if (texts.some((text) => text.length > TEXT_MAX))
    return { issue: `has a value longer than ${TEXT_MAX} characters` };
  const kept = entries.map(([name, content]) => {
    const redact = isPrivateHeader(name) ? () => REDACTED : redactHeaderValue;
    const texts = content as string | string[];
    return [name, Array.isArray(texts) ? texts.map(redact) : redact(texts)] as const;
  });
  return { value: Object.fromEntries(kept) };
}

function readMetadata(value: unknown): Reading<Members> {
  return isObject(value)
    ? { value: redactMembers(value) as Members }
    : { issue: 'must be an object' };
}

/** The same value without secrets and addresses, however deep; a body is never deeper than its limit. */
function redactMembers(value: unknown): unknown {
  if (typeof value === 'string') return redactHeaderValue(value);
  if (Array.isArray(value)) return value.map(redactMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && isPrivateHeader(name) ? REDACTED : redactMembers(member),
    ]),
  );
}

function mapped<Value, Result>(
  reading: Reading<Value>,
  map: (value: Value) => Result,
): Reading<Result> {
  return 'value' in reading ? { value: map(reading.value) } : reading;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
