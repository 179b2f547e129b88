import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { FIELDS, type Field } from '../../src/domain/field.ts';
import { shopLanguages } from '../../src/operations/indexes/shop-languages.ts';
import { systemPlatform } from '../../src/platform.ts';
import { analyzeOffering, documentTerms, termsIn } from '../../src/search/index/documents.ts';
import { factsOf } from '../../src/search/index/fact-table.ts';
import type { IndexableDocument } from '../../src/search/index/memory-index-builder.ts';
import type { ItemFacts } from '../../src/search/query/filter.ts';
import { type NameTerms, nameTerms } from '../../src/search/ranking/name.ts';
import { readVector8 } from '../../src/search/vectors/vector8.ts';
import { type OpenServices, openServices } from '../../src/services.ts';
import {
  findSearchableRows,
  findVisibleDocuments,
} from '../../src/storage/catalog/searchable-rows.ts';

/** A document with everything that an index, names and facts hold about it. */
export interface GrownDocument {
  readonly document: Omit<IndexableDocument, 'terms'> & {
    readonly terms: Readonly<Record<Field, readonly string[]>>;
    readonly vector: Float32Array;
  };
  readonly name: NameTerms;
  readonly facts: ItemFacts;
}

/** Shops that share the documents of a grown catalogue in equal parts. */
const SHOPS = 4;

/** Documents read in one query. */
const READ_AT_ONCE = 500;
/** Maximum wait for a question's embedding; long, because nothing else is waiting. */
const PATIENT_MS = 60_000;

/** The share of a copy's terms that are replaced by terms of another document. */
const REPLACED_SHARE = 0.15;
/** The share of a copy's terms that become new ones, as codes and rare names are. */
const NEW_SHARE = 0.01;
/** The weight of another document's vector, and the length of the noise, in a copy's vector. */
const OTHER_SHARE = 0.25;
const NOISE_LENGTH = 0.4;

/** Opens the services of a data folder, with its model loaded. */
export async function openData(folder: string): Promise<OpenServices> {
  const config = readConfig({ dataFolder: join(folder), flags: {}, environment: {}, file: {} });
  const patient = { ...config, embedderBudgetMs: PATIENT_MS };
  const services = await openServices({
    config: patient,
    platform: systemPlatform('error'),
    create: false,
  });
  await services.embeddings.load();
  return services;
}

/** The offerings of the first organization that have a vector. */
export async function readDocuments({ db, directory, embeddings }: OpenServices) {
  const organizationKey = directory.organizations()[0]!.key;
  const languageOfShop = shopLanguages(directory);
  const { model } = embeddings;
  if (model === null) throw new Error('run "bun run model" first');
  const documents: (GrownDocument & { readonly title: string })[] = [];
  for (let after = 0; ; ) {
    const page = await findVisibleDocuments(db, organizationKey, { after, limit: READ_AT_ONCE });
    if (page.length === 0) return { documents, dimensions: model.dimensions };
    const documentKeys = page.map(({ documentKey }) => documentKey);
    for (const row of await findSearchableRows(db, { documentKeys, modelKey: model.key })) {
      const { item, vector, passage: _, ...keys } = row;
      if (item.type !== 'product' || vector === null) continue;
      const language = languageOfShop(row.shopKey);
      const analyzed = analyzeOffering(item, language);
      const terms = documentTerms(item, language, analyzed)[0]!;
      const { vendor, productType, tags, currency, priceMinor } = item;
      documents.push({
        title: item.name,
        name: nameTerms(item.name, language, analyzed.measures.name),
        facts: factsOf(item, analyzed),
        document: {
          ...{ ...keys, type: item.type, vendor, productType, tags, currency, priceMinor },
          available: true,
          lexicon: terms.lexicon,
          terms: byField((field) => termsIn(terms, field)),
          vector: valuesOf(vector, model.dimensions),
        },
      });
    }
    after = documentKeys.at(-1)!;
  }
}

/**
 * That many documents in the order of their keys: the given ones, then copies of them that differ
 * as offerings of one kind do. The same arguments give the same documents.
 */
export function* growDocuments(
  originals: readonly GrownDocument[],
  size: number,
): Generator<GrownDocument> {
  const random = startRandom();
  const pick = () => originals[Math.floor(random() * originals.length)]!;
  for (let place = 0; place < size; place++) {
    const original = originals[place % originals.length]!;
    const isCopy = place >= originals.length;
    const { terms, vector } = original.document;
    yield {
      ...original,
      document: {
        ...original.document,
        documentKey: place + 1,
        itemKey: place + 1,
        id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
        shopKey: 1 + (place % SHOPS),
        terms: isCopy ? changedTerms(terms, { random, pick }) : terms,
        vector: isCopy ? mixed(vector, pick().document.vector, random) : vector,
      },
    };
  }
}

function changedTerms(
  terms: Readonly<Record<Field, readonly string[]>>,
  { random, pick }: { random: () => number; pick: () => GrownDocument },
): Record<Field, readonly string[]> {
  return byField((field) => {
    const others = pick().document.terms[field];
    return terms[field].map((term) => {
      const chance = random();
      if (chance < NEW_SHARE) return term + Math.floor(random() * 1e6).toString(36);
      if (chance > REPLACED_SHARE || others.length === 0) return term;
      return others[Math.floor(random() * others.length)]!;
    });
  });
}

function byField(make: (field: Field) => string[]): Record<Field, string[]> {
  return Object.fromEntries(FIELDS.map((field) => [field, make(field)])) as Record<Field, string[]>;
}

function mixed(one: Float32Array, other: Float32Array, random: () => number): Float32Array {
  // The variance of a number from -0.5 to 0.5 is a twelfth.
  const noise = NOISE_LENGTH * Math.sqrt(12 / one.length);
  return one.map(
    (value, at) => value * (1 - OTHER_SHARE) + other[at]! * OTHER_SHARE + (random() - 0.5) * noise,
  );
}

/** The values of a `vector8` BLOB, of length 1. */
function valuesOf(blob: Uint8Array, dimensions: number): Float32Array {
  const vector = readVector8(blob, dimensions);
  if (vector === null) throw new Error('a vector of another model');
  const { bytes, alpha, shift } = vector;
  const values = Float32Array.from(bytes, (byte) => alpha * byte + shift);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** Deterministic pseudo-random numbers from 0 to 1. */
function startRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
