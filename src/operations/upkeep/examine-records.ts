import type { CatalogItem } from '../../domain/catalog.ts';
import { contentHash } from '../../domain/content-hash.ts';
import type { Platform } from '../../platform.ts';
import { searchDocuments } from '../../search/index/documents.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import {
  type DamagedRecord,
  findItemBytes,
  findPassageBytes,
  findQuarantined,
  findSuspectHits,
  quarantineHit,
  quarantineItem,
  type StoredBytes,
} from '../../storage/catalog/quarantine.ts';
import type { Database } from '../../storage/engine/database.ts';
import { findKeyRange } from '../../storage/hits.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** Items and hits read per slice: about 5 ms each. */
const ITEMS_AT_ONCE = 500;
const HITS_AT_ONCE = 2000;

/** Interval between full examinations. */
const EVERY_MS = 24 * 3_600_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Makes the task that looks for records whose bytes have changed since they were written. It runs at
 * the start, once a day, and whenever a read finds a damaged text. It moves damaged records into
 * quarantine, so that one flipped bit costs one record. The rest is still served, and an import of the
 * same catalogue restores the item.
 */
export function examineRecords(services: UpkeepServices): () => Promise<boolean> {
  const { db, platform } = services;
  let examinedAtMs = Number.NEGATIVE_INFINITY;
  let damagedTexts = 0;
  return async () => {
    const isDue = platform.monotonicMs() - examinedAtMs >= EVERY_MS;
    // A libSQL server is responsible for its own bytes.
    if (db.instance !== null || (!isDue && db.activity.damagedTexts === damagedTexts)) return false;
    for await (const damaged of findDamaged(services)) await putAside(services, damaged);
    examinedAtMs = platform.monotonicMs();
    damagedTexts = db.activity.damagedTexts;
    return false;
  };
}

interface Examined {
  readonly db: Database;
  readonly platform: Pick<Platform, 'yield'>;
}

/** Every damaged item and hit. Reads in slices and yields to the event loop in between. Changes nothing. */
export async function* findDamaged({ db, platform }: Examined): AsyncGenerator<DamagedRecord> {
  for (let after = 0; ; ) {
    const items = await findItemBytes(db, { after, limit: ITEMS_AT_ONCE });
    yield* believable(items, (item) => faultOf(item));
    if (items.length < ITEMS_AT_ONCE) break;
    after = items.at(-1)!.key;
    await platform.yield();
  }
  for (let after = 0; ; ) {
    const passages = await findPassageBytes(db, { after, limit: ITEMS_AT_ONCE });
    yield* believable(passages, (item) => faultOfPassage(item, item.passage));
    if (passages.length < ITEMS_AT_ONCE) break;
    after = passages.at(-1)!.documentKey;
    await platform.yield();
  }
  yield* findDamagedHits(db, platform);
}

/** Counts of damaged records that are still in place and of records in quarantine. */
export interface DamageCounts {
  readonly damaged: number;
  readonly quarantined: number;
}

/** For a command, which has no other requests to serve. */
export async function countDamage(db: Database): Promise<DamageCounts> {
  let damaged = 0;
  for await (const _ of findDamaged({ db, platform: { yield: async () => undefined } }))
    damaged += 1;
  return { damaged, quarantined: (await findQuarantined(db)).count };
}

/**
 * The damaged ones, if they are few. If most of a slice does not match, another version made the
 * digests, so the mismatch proves no damage.
 */
function believable<Item extends StoredBytes>(
  items: readonly Item[],
  faultIn: (item: Item) => string | null,
): DamagedRecord[] {
  const faulty = items.flatMap((item) => {
    const reason = faultIn(item);
    return reason === null ? [] : [damagedItem(item, reason)];
  });
  const isOfOtherVersion = items.length > 10 && faulty.length > items.length / 2;
  return isOfOtherVersion ? [] : faulty;
}

function damagedItem(item: StoredBytes, reason: string): DamagedRecord {
  const { key, organizationKey, shopKey, externalId, content } = item;
  const named = { key, organizationKey, shopKey, record: externalId };
  return { kind: 'item', ...named, reason, content: new Uint8Array(content) };
}

function faultOf({ content, contentHash: digest }: StoredBytes): string | null {
  const text = textOf(content);
  if (text === null) return 'its text is not UTF-8';
  return contentHash(text) === digest ? null : 'its text is not what was imported';
}

function faultOfPassage(item: StoredBytes, passage: string): string | null {
  // An earlier check reports faults in the body.
  if (faultOf(item) !== null) return null;
  const whole = JSON.parse(utf8.decode(item.content)) as CatalogItem;
  const isWhole = searchDocuments(whole).some((document) => document.passage === passage);
  return isWhole ? null : 'one of its passages is not what was imported';
}

async function* findDamagedHits(
  db: Database,
  { yield: pause }: Examined['platform'],
): AsyncGenerator<DamagedRecord> {
  const { first, last } = await findKeyRange(db);
  for (let after = first - 1; after < last; after += HITS_AT_ONCE) {
    for (const hit of await findSuspectHits(db, { after, span: HITS_AT_ONCE })) {
      const { key, organizationKey, content, isJson } = hit;
      const reason = isJson === 0 ? 'it is not JSON' : 'it is not UTF-8';
      if (isJson === 1 && textOf(content) !== null) continue;
      const named = { key, organizationKey, shopKey: null, record: String(key) };
      yield { kind: 'hit', ...named, reason, content: new Uint8Array(content) };
    }
    await pause();
  }
}

function textOf(bytes: ArrayBuffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

async function putAside(services: UpkeepServices, damaged: DamagedRecord): Promise<void> {
  const { db, platform, directory, importMutex } = services;
  const { kind, record, reason, organizationKey } = damaged;
  const { id, slug } = directory.organization(organizationKey);
  const at = platform.now();
  const details = { kind, record, reason };
  const isPutAside = await importMutex.run(async () => {
    if (kind === 'item' && !(await isStillThere(db, damaged))) return false;
    await db.write([
      ...(kind === 'item' ? quarantineItem(db, damaged, at) : quarantineHit(db, damaged, at)),
      insertAuditEntry(db, { at, organizationId: id, event: 'record.quarantined', details }),
    ]);
    return true;
  });
  if (!isPutAside) return;
  platform.log('error', 'record_damaged', {
    ...details,
    organization: slug,
    hint:
      kind === 'item'
        ? 'it is in quarantine: import the catalogue again'
        : 'it is in quarantine: its counts stay',
  });
  if (kind === 'item') await directory.reload();
}

/** An import may have removed the item in the meantime and reused its key. */
async function isStillThere(db: Database, { key, content }: DamagedRecord): Promise<boolean> {
  const [item] = await findItemBytes(db, { after: key - 1, limit: 1 });
  return item?.key === key && Buffer.compare(new Uint8Array(item.content), content) === 0;
}
