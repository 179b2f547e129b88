import { FIELDS } from '../../domain/field.ts';
import type { Shop } from '../../domain/organization.ts';
import { searchDocuments } from '../../search/index/documents.ts';
import { type Language, languageOf } from '../../search/text/language.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { findDocumentKeys, findSearchableRows } from '../../storage/catalog/searchable-rows.ts';
import { TextBuffer } from '../../storage/catalog/text-buffer.ts';
import { IndexedDocuments, unindexDocuments } from '../../storage/catalog/word-index.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { setWordsAnalysis } from '../../storage/organizations.ts';
import { analysisOf } from '../indexes/analysis-fingerprint.ts';
import { changeCatalogue } from '../instances/shared-work.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** Documents analysed in one transaction: about 20 ms. */
const DOCUMENTS_AT_ONCE = 32;

type RebuildServices = Pick<
  UpkeepServices,
  'db' | 'directory' | 'platform' | 'importMutex' | 'catalogueMutexes' | 'indexes'
>;

/**
 * Makes the words of a shop anew where its locale, or this version of the analysis, has changed: a few
 * documents in each call, all generations of them. Until the last one a question is asked in the words
 * of both languages, and an index in memory stays as it was. After a restart it begins again. The
 * function returned is false when there is nothing to do.
 */
export function rebuildWords(services: RebuildServices): () => Promise<boolean> {
  const { directory, importMutex } = services;
  let rebuild: { readonly shop: Shop; readonly analysis: string; after: number } | null = null;
  /** The version of the directory in which no shop is outdated. */
  let upToDate = -1;
  return async () => {
    const { version } = directory;
    if (version === upToDate) return false;
    const shop = outdatedShop(services);
    if (shop === null) upToDate = version;
    if (shop === null || importMutex.isBusy) return false;
    const language = languageOf(shop.locale);
    const analysis = analysisOf(shop.locale);
    if (rebuild?.shop.key !== shop.key || rebuild.analysis !== analysis)
      rebuild = { shop, analysis, after: 0 };
    const { after } = rebuild;
    const analyse = () => analyseDocuments(services, shop, { language, after });
    const last = await changeCatalogue(services, shop.organizationKey, analyse);
    if (last !== null) {
      rebuild.after = last;
      return true;
    }
    await finish(services, shop, analysis);
    services.indexes.find(shop.organizationKey);
    return outdatedShop({ directory }) !== null;
  };
}

/** A shop whose words were made by another analysis than the one of its locale; null if there is none. */
function outdatedShop({ directory }: Pick<RebuildServices, 'directory'>): Shop | null {
  for (const { key } of directory.organizations())
    for (const shop of directory.shopsOf(key))
      if (shop.wordsAnalysis !== analysisOf(shop.locale)) return shop;
  return null;
}

/** Analyses the next documents. Returns the key of the last one; null if there are no more. */
async function analyseDocuments(
  { db }: RebuildServices,
  { key: shopKey, organizationKey }: Shop,
  { language, after }: { readonly language: Language; readonly after: number },
): Promise<number | null> {
  const limit = DOCUMENTS_AT_ONCE * db.batchFactor;
  const documentKeys = await findDocumentKeys(db, shopKey, { after, limit });
  const last = documentKeys.at(-1);
  if (last === undefined) return null;
  const rows = await findSearchableRows(db, { documentKeys, modelKey: null });
  const texts = new TextBuffer();
  const documents = new IndexedDocuments();
  const analysed = rows.flatMap(({ documentKey, item, passage }) => {
    const document = searchDocuments(item, language).find((made) => made.passage === passage);
    if (document === undefined) return [];
    documents.add(
      documentKey,
      FIELDS.flatMap((field) => texts.add(document.fields[field])),
    );
    return documentKey;
  });
  await db.write([
    unindexDocuments(organizationKey, analysed),
    documents.insert(organizationKey, texts.bytes()),
  ]);
  return last;
}

async function finish(
  { db, directory, platform }: RebuildServices,
  { key, organizationKey, handle, locale }: Shop,
  analysis: string,
): Promise<void> {
  const organizationId = directory.organization(organizationKey).id;
  const details = { handle, locale };
  const entry = { at: platform.now(), organizationId, event: 'shop.words_rebuilt', details };
  const statements: Statement[] = [setWordsAnalysis(db, key, analysis)];
  await db.write([...statements, insertAuditEntry(db, entry)]);
  await directory.reloadCatalogue(organizationKey);
}
