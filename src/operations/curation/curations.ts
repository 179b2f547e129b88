import type { BoostRule, CurationRule } from '../../domain/curation.ts';
import type { Shop } from '../../domain/organization.ts';
import type { DocumentFacts } from '../../search/index/document-columns.ts';
import type { PinnedPlace } from '../../search/ranking/place-pins.ts';
import { type Language, languageOf } from '../../search/text/language.ts';
import { type SynonymGroup, type Synonyms, synonymsFrom } from '../../search/text/synonyms.ts';
import {
  findIdentifiedItems,
  type IdentifiedItem,
} from '../../storage/catalog/identified-items.ts';
import { findRules } from '../../storage/curations.ts';
import type { BaseServices } from '../base-services.ts';

/** Organizations whose rules are held in memory; the one searched least recently goes first. */
const HELD_MAX = 200;

/** What the rules of the shops say about one question. */
export interface Curated {
  /** Each shop's own. */
  readonly synonyms: readonly Synonyms[];
  readonly pins: readonly Pin[];
  /** Ids of items that no answer may contain. */
  readonly hidden: ReadonlySet<string>;
  readonly boosts: Boosts;
}

/** By shop; shops without boosts are left out. */
type Boosts = ReadonlyMap<number, ShopBoosts>;

/** Factors by the lower-case name that they are about. */
type ShopBoosts = Readonly<Record<BoostRule['by'], ReadonlyMap<string, number>>>;

export interface Pin extends PinnedPlace {
  readonly documentKey: number;
}

/** What a search is about: the part of `SearchInput` that rules depend on. */
export interface CuratedSearch {
  readonly organizationKey: number;
  /** Null: every shop. */
  readonly shops: readonly Shop[] | null;
  readonly question: string;
  readonly productsOnly: boolean;
}

/** The rules of one shop, ready to be looked up by question. */
interface ShopRules {
  readonly shopKey: number;
  readonly language: Language;
  readonly synonyms: Synonyms;
  readonly hasBoosts: boolean;
  boostsOn(today: string): ShopBoosts;
  /** Hidden from every answer. */
  readonly hidden: readonly string[];
  readonly byQuestion: ReadonlyMap<string, readonly Named[]>;
}

/** A rule about one question, with the item that it names. */
interface Named {
  readonly rule: CurationRule;
  readonly item: IdentifiedItem;
}

interface Held {
  /** Changes with the rules and with the catalogue. */
  readonly version: string;
  readonly shops: Promise<readonly ShopRules[]>;
}

/**
 * The rules with which owners correct their shops' search. They are read when an organization is first
 * searched, and again when its rules or its catalogue have changed.
 */
export class Curations {
  readonly #services: Pick<BaseServices, 'db' | 'directory' | 'platform'>;
  readonly #held = new Map<number, Held>();

  constructor(services: Pick<BaseServices, 'db' | 'directory' | 'platform'>) {
    this.#services = services;
  }

  /** Null if the organization has no rules. */
  async of(search: CuratedSearch): Promise<Curated | null> {
    const { organizationKey, shops } = search;
    const { directory, platform } = this.#services;
    const all = directory.shopsOf(organizationKey);
    if (all.every(({ curationVersion }) => curationVersion === 0)) return null;
    const keys = new Set((shops ?? all).map(({ key }) => key));
    const rules = await this.#rules(organizationKey, all);
    const today = new Date(platform.now()).toISOString().slice(0, 10);
    return curatedBy(
      rules.filter(({ shopKey }) => keys.has(shopKey)),
      search,
      today,
    );
  }

  #rules(organizationKey: number, shops: readonly Shop[]): Promise<readonly ShopRules[]> {
    const versions = shops.map(
      ({ curationVersion, revision, locale }) => `${curationVersion}.${revision}.${locale}`,
    );
    const version = versions.join(' ');
    const held = this.#held.get(organizationKey);
    const isCurrent = held?.version === version;
    const current = isCurrent ? held : { version, shops: this.#read(shops) };
    this.#held.delete(organizationKey);
    this.#held.set(organizationKey, current);
    if (isCurrent) return current.shops;
    if (this.#held.size > HELD_MAX) this.#held.delete(this.#held.keys().next().value!);
    // A failed read is tried again by the next search.
    current.shops.catch(() => {
      if (this.#held.get(organizationKey) === current) this.#held.delete(organizationKey);
    });
    return current.shops;
  }

  #read(shops: readonly Shop[]): Promise<ShopRules[]> {
    const { db } = this.#services;
    const curated = shops.filter(({ curationVersion }) => curationVersion > 0);
    return Promise.all(
      curated.map(async (shop) => {
        const { key: shopKey, curationVersion: version } = shop;
        const rules = await findRules(db, { shopKey, version });
        return shopRules(shop, rules, await findIdentifiedItems(db, shop, itemsIn(rules)));
      }),
    );
  }
}

/** What the boosts together multiply the score of a document by. */
export function boostFactor(boosts: Boosts, document: Boosted): number {
  const { vendor, productType, tags } = document;
  const factors = boosts.get(document.shopKey);
  if (factors === undefined) return 1;
  let factor = factorOf(factors.vendor, vendor) * factorOf(factors.type, productType);
  if (factors.tag.size > 0) for (const tag of tags) factor *= factorOf(factors.tag, tag);
  return factor;
}

/** What a boost looks at. */
type Boosted = Pick<DocumentFacts, 'shopKey' | 'vendor' | 'productType' | 'tags'>;

/** A name is put into lower case only where some name is boosted. */
function factorOf(factors: ReadonlyMap<string, number>, name: string | null): number {
  return factors.size === 0 || name === null ? 1 : (factors.get(name.toLowerCase()) ?? 1);
}

/** The boosts of a day, kept until the next is asked for, and joined where several are about the same. */
function boostsByDay(rules: readonly BoostRule[]): (today: string) => ShopBoosts {
  let day = '';
  let kept: ShopBoosts = { vendor: new Map(), type: new Map(), tag: new Map() };
  return (today) => {
    if (today === day) return kept;
    const made = { vendor: new Map(), type: new Map(), tag: new Map() };
    for (const { by, value, factor, from = today, until = today } of rules) {
      if (today < from || until < today) continue;
      const name = value.toLowerCase();
      made[by].set(name, (made[by].get(name) ?? 1) * factor);
    }
    [day, kept] = [today, made];
    return kept;
  };
}

/** The external ids that rules name, each once. */
export function itemsIn(rules: readonly CurationRule[]): string[] {
  return [...new Set(rules.flatMap((rule) => ('item' in rule ? [rule.item] : [])))];
}

function shopRules(
  { key: shopKey, locale }: Shop,
  rules: readonly CurationRule[],
  items: readonly IdentifiedItem[],
): ShopRules {
  const language = languageOf(locale);
  const itemOf = new Map(items.map((item) => [item.externalId, item]));
  const names: SynonymGroup[] = [];
  const boosts: BoostRule[] = [];
  const hidden: string[] = [];
  const byQuestion = new Map<string, Named[]>();
  for (const rule of rules) {
    if (rule.kind === 'synonym') names.push({ names: rule.words, isOneWay: rule.oneWay === true });
    if (rule.kind === 'boost') boosts.push(rule);
    const item = 'item' in rule ? itemOf.get(rule.item) : undefined;
    if (item === undefined || !('item' in rule)) continue;
    if (rule.question === undefined) hidden.push(item.id);
    else {
      const key = questionKey(rule.question, language);
      byQuestion.set(key, [...(byQuestion.get(key) ?? []), { rule, item }]);
    }
  }
  const synonyms = synonymsFrom(names, language.termsOfName);
  return {
    ...{ shopKey, language, synonyms, hidden, byQuestion },
    hasBoosts: boosts.length > 0,
    boostsOn: boostsByDay(boosts),
  };
}

function curatedBy(
  shops: readonly ShopRules[],
  { question, productsOnly }: CuratedSearch,
  today: string,
): Curated {
  const about = shops.flatMap(
    ({ byQuestion, language }) => byQuestion.get(questionKey(question, language)) ?? [],
  );
  const isFound = ({ documentKey, type }: IdentifiedItem) =>
    documentKey !== null && (type === 'product' || !productsOnly);
  return {
    synonyms: shops.map(({ synonyms }) => synonyms),
    pins: about.flatMap(({ rule, item }) =>
      rule.kind === 'pin' && isFound(item)
        ? [{ id: item.id, place: rule.place, documentKey: item.documentKey! }]
        : [],
    ),
    hidden: new Set([
      ...shops.flatMap(({ hidden }) => hidden),
      ...about.flatMap(({ rule, item }) => (rule.kind === 'hide' ? [item.id] : [])),
    ]),
    boosts: new Map(
      shops
        .filter(({ hasBoosts }) => hasBoosts)
        .map(({ shopKey, boostsOn }) => [shopKey, boostsOn(today)]),
    ),
  };
}

/** Equal for questions with the same words, whatever their case, number and stop words. */
export function questionKey(question: string, language: Language): string {
  return language.stopWords.tellingTerms(language.termsOf(question)).join(' ');
}
