import { questionInUrl } from '../../domain/hit.ts';
import { networkOf } from '../../domain/private-data.ts';
import type { ChosenSearch } from '../../storage/chosen-searches.ts';
import type { KeyedHit, LessonFilter } from '../../storage/learned-voices.ts';

/** What a visitor does with an offering that was chosen. */
const CHOICES: ReadonlySet<string> = new Set([
  ...['product_click', 'link_click', 'booking_click', 'checkout_start', 'purchase'],
]);

/** Crawlers, tools and programs that nobody knows teach nothing. */
const TEACHERS: ReadonlySet<string> = new Set(['human', 'ai_retrieval']);

/** The hits from which something may be learned, for the database. */
export const LESSONS: LessonFilter = {
  agentKinds: [...TEACHERS],
  classifications: [...CHOICES],
};

/** A hit from which something can be learned. */
export interface Lesson {
  readonly hitKey: number;
  readonly organizationKey: number;
  readonly atMs: number;
  /** By whom one visit is told from another; null if it cannot be told. */
  readonly visitor: string | null;
  /**
   * Who has one voice: a key, or all visitors of a network. A session, a user agent or an address
   * of the same network is quickly changed. Null if it is not known.
   */
  readonly client: string | null;
  readonly asked:
    | (Pick<ChosenSearch, 'question' | 'day' | 'agentKind' | 'access'> & {
        readonly shown: readonly string[] | null;
      })
    | null;
  readonly chosen: {
    /** Anything by which an offering is found. */
    readonly offering: string;
    /** The question of the site's search page, from which the visitor came. */
    readonly question: string | null;
    readonly isPurchase: boolean;
  } | null;
}

/** Null if nothing can be learned from the hit. Pure. */
export function lessonOf({
  key,
  organizationKey,
  createdAt,
  clientIp,
  hit,
}: KeyedHit): Lesson | null {
  if (!TEACHERS.has(hit.agentKind)) return null;
  const { question, day, agentKind, access = 'key', shown = null } = hit;
  const asked = question === null ? null : { question, day, agentKind, access, shown };
  const chosen = CHOICES.has(hit.classification) ? choiceOf(hit) : null;
  if (asked === null && chosen === null) return null;
  return {
    hitKey: key,
    organizationKey,
    atMs: eventMs(hit.eventDate, createdAt),
    visitor: visitorOf(hit, clientIp),
    client: clientOf(hit, clientIp),
    asked,
    chosen,
  };
}

function choiceOf({ classification, offeringId, url, headers }: KeyedHit['hit']): Lesson['chosen'] {
  const offering = offeringId ?? url;
  if (offering === null) return null;
  const [referer] = [headers?.['referer'] ?? headers?.['Referer']].flat();
  const isOwn = url !== null && referer !== undefined && isSameHost(url, referer);
  const question = isOwn ? questionInUrl(referer) : null;
  return { offering, question, isPurchase: classification === 'purchase' };
}

function isSameHost(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).host === new URL(other).host;
}

function visitorOf(
  { session, userAgent }: KeyedHit['hit'],
  clientIp: string | null,
): string | null {
  return session ?? (clientIp === null ? null : `${clientIp} ${userAgent}`);
}

function clientOf({ keyId, source }: KeyedHit['hit'], clientIp: string | null): string | null {
  if (keyId !== undefined) return keyId;
  if (clientIp !== null) return networkOf(clientIp);
  return source === 'service' ? THIS_MACHINE : null;
}

/** An assistant that talks over standard input and output. */
const THIS_MACHINE = 'local';

/** When it happened, but not after it arrived. A date without an offset is UTC. */
function eventMs(eventDate: string, createdAt: number): number {
  const date = eventDate.toUpperCase();
  const ms = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(date) ? date : `${date}Z`);
  return Number.isNaN(ms) ? createdAt : Math.min(ms, createdAt);
}
