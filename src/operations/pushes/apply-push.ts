import { type CatalogItem, canonicalItem } from '../../domain/catalog.ts';
import { AppError, type Issue } from '../../domain/errors.ts';
import type { OfferChange } from '../../domain/offer-change.ts';
import type { Shop } from '../../domain/organization.ts';
import { findItemsByExternalId, type VisibleItem } from '../../storage/catalog/pushed-items.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import type { ImportServices } from '../imports/import-services.ts';
import { hasSameText, type ItemChange, offerOf } from './item-changes.ts';

/** Items read or applied between two pauses: a few milliseconds. */
const AT_ONCE = 100;

/** Faults that an error names. */
const ISSUES_MAX = 100;

/** What became of the items of a push. */
export interface PushCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Items that were so already. */
  readonly same: number;
}

/** Changes that take effect together, or not at all. */
export interface ItemPush {
  readonly changes: readonly ItemChange[];
  /** Statements for the same transaction. */
  also(counts: PushCounts): Statement[];
}

/** An item before and after a push. */
export interface ItemState {
  readonly externalId: string;
  readonly format: string;
  /** The visible version; null if there is none. */
  readonly version: VisibleItem | null;
  readonly before: CatalogItem | null;
  readonly after: CatalogItem | null;
  /** Whether at most prices and availability differ. */
  readonly isInPlace: boolean;
  /** What a change in place changes. */
  readonly offers: readonly OfferChange[];
}

/** Items by their id, or by their external id if they are new. */
export type ItemStates = ReadonlyMap<string, ItemState>;

/** The visible versions that pushes are about, by external id. */
export async function findPresent(
  { db, platform }: ImportServices,
  shop: Shop,
  pushes: readonly ItemPush[],
): Promise<ReadonlyMap<string, VisibleItem>> {
  const all = pushes.flatMap(({ changes }) => changes.map(({ externalId }) => externalId));
  const wanted = [...new Set(all)];
  const present = new Map<string, VisibleItem>();
  const size = AT_ONCE * db.batchFactor;
  for (let at = 0; at < wanted.length; at += size) {
    const found = await findItemsByExternalId(db, shop, wanted.slice(at, at + size));
    for (const [externalId, version] of found) present.set(externalId, version);
    await platform.yield();
  }
  return present;
}

/**
 * The items that a push is about, as they are after it; `states` holds those that earlier pushes have
 * changed. Throws if any change of it has a fault.
 */
export async function applyPush(
  { db, platform }: ImportServices,
  {
    shop,
    present,
    push,
    states: earlier,
  }: {
    shop: Shop;
    present: ReadonlyMap<string, VisibleItem>;
    push: ItemPush;
    states: ItemStates;
  },
): Promise<ItemStates> {
  const states = new Map<string, ItemState>();
  const issues: Issue[] = [];
  for (const [index, { externalId, line, format, apply }] of push.changes.entries()) {
    if (index % AT_ONCE === 0) await platform.yield();
    const version = present.get(externalId) ?? null;
    const name = version?.id ?? externalId;
    const known = states.get(name) ?? earlier.get(name);
    const before =
      known === undefined ? version && db.parse<CatalogItem>(version.body) : known.before;
    const own: Issue[] = [];
    const options = { shop, nowMs: platform.now(), issues: own };
    const made = apply(known === undefined ? before : known.after, options);
    const place = line === null ? {} : { line };
    issues.push(...own.map((issue) => ({ ...issue, ...place, externalId })));
    if (made === null) continue;
    const { item: after, offer } = made;
    const isSame = offer !== undefined || before === after || hasSameText(before, after);
    const offers = offer ?? (after?.type === 'product' ? offerOf(after) : null);
    states.set(name, {
      ...{ externalId, format, version, before, after },
      isInPlace: isSame && (known?.isInPlace ?? true),
      offers: [...(known?.offers ?? []), ...(offers === null ? [] : [offers])],
    });
  }
  if (issues.length > 0) throw refusal(issues);
  return states;
}

export function countStates(states: Iterable<ItemState>): PushCounts {
  const counts = { added: 0, changed: 0, removed: 0, same: 0 };
  for (const state of states) {
    if (!isChanged(state)) counts.same += 1;
    else if (state.before === null) counts.added += 1;
    else counts[state.after === null ? 'removed' : 'changed'] += 1;
  }
  return counts;
}

export function isChanged({ before, after }: ItemState): boolean {
  const text = (item: CatalogItem | null) => item && JSON.stringify(canonicalItem(item));
  return text(before) !== text(after);
}

/** An error that names every fault with its record. */
export function refusal(issues: readonly Issue[]): AppError {
  const [{ path, message, line }] = issues as readonly [Issue];
  const first = `${line === undefined ? '' : `Line ${line}: `}${path || 'the record'} ${message}`;
  const rest = issues.length === 1 ? '' : `, and ${issues.length - 1} more`;
  return new AppError('invalid_input', `${first}${rest}. Nothing was changed.`, {
    issues: issues.slice(0, ISSUES_MAX),
  });
}
