import Type from 'typebox';
import { FORMATS } from '../../catalog/formats.ts';
import type { GuessedColumn } from '../../catalog/mapping/guess-columns.ts';
import { withoutDuplicates } from '../../catalog/record/duplicates.ts';
import type { ColumnUse, Fault } from '../../catalog/record/reader.ts';
import type { CatalogItem } from '../../domain/catalog.ts';
import { formatPrice } from '../../domain/money.ts';
import { defineOperation } from '../define-operation.ts';
import { Hints, readHints } from '../sources/catalog-sources.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import type { DraftServices } from './draft-services.ts';

const ITEMS_SHOWN = 10;
const FAULTS_SHOWN = 20;

/** What an import of a draft would read, judged by its beginning. */
export interface DraftPreview {
  readonly format: string;
  /** Every format that may be chosen instead. */
  readonly formats: readonly string[];
  /** How the format was determined. */
  readonly evidence: string;
  /** The columns of a table of unknown origin, which can be mapped; null for every other format. */
  readonly columns: readonly GuessedColumn[] | null;
  /** What a person should check in the columns. */
  readonly doubts: readonly string[];
  /** Columns of other formats, as far as they are known by now. */
  readonly use: ColumnUse;
  /** Of prices that name none. */
  readonly currency: string;
  readonly items: readonly PreviewItem[];
  readonly faults: readonly Omit<Fault, 'raw' | 'file'>[];
}

/** The first items as they would look. */
export interface PreviewItem {
  readonly type: CatalogItem['type'];
  readonly externalId: string;
  readonly name: string;
  readonly description: string;
  readonly url: string | null;
  readonly image: string | null;
  readonly vendor: string | null;
  readonly productType: string | null;
  readonly availability: string | null;
  readonly currency: string | null;
  /** In major units. */
  readonly price: string | null;
  readonly compareAtPrice: string | null;
  readonly variantCount: number;
}

const DESCRIPTION_LENGTH = 200;

export const previewDraft = defineOperation({
  name: 'draft.preview',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
    draft: Type.String(),
    hints: Hints,
  }),
  async run(
    services: DraftServices,
    { organization: reference, shop: shopReference, draft: id, hints },
  ): Promise<DraftPreview> {
    const { drafts, platform, stopping } = services;
    const organization = resolveOrganization(services, reference);
    const { currency, domain } = resolveShop(services, organization, shopReference);
    const { name, share } = drafts.find(organization.key, id);
    await using source = share();
    const given = { ...readHints(hints), takesDoubtful: true };
    const { format, evidence, guess, rows } = await source.open(name, given, stopping);
    const items: PreviewItem[] = [];
    const faults: Omit<Fault, 'raw' | 'file'>[] = [];
    let use: ColumnUse = { used: [], ignored: [] };
    const options = {
      ...{ currency, now: platform.now() },
      shopUrl: domain === null ? null : `https://${domain}`,
      onColumns: (found: ColumnUse) => {
        use = found;
      },
    };
    for await (const row of withoutDuplicates(rows(options))) {
      if ('item' in row) items.push(viewItem(row.item));
      else {
        const { raw: _, file: __, ...fault } = row.fault;
        faults.push(fault);
      }
      if (items.length === ITEMS_SHOWN || faults.length === FAULTS_SHOWN) break;
    }
    return {
      ...{ format: format.name, evidence, currency, items, faults, use },
      formats: FORMATS.map((each) => each.name),
      columns: guess?.columns ?? null,
      doubts: guess?.doubts ?? [],
    };
  },
});

function viewItem(item: CatalogItem): PreviewItem {
  const { type, externalId, name, description, publicUrl: url } = item;
  const shown = {
    type,
    externalId,
    name,
    url,
    description: description.slice(0, DESCRIPTION_LENGTH),
  };
  if (item.type === 'context')
    return {
      ...shown,
      ...{ image: null, vendor: null, productType: null, availability: null, currency: null },
      ...{ price: null, compareAtPrice: null, variantCount: 0 },
    };
  const { image, vendor, productType, availability, currency } = item;
  const price = (minor: number | null) => (minor === null ? null : formatPrice(minor, currency));
  return {
    ...{ ...shown, image, vendor, productType, availability, currency },
    price: price(item.priceMinor),
    compareAtPrice: price(item.compareAtPriceMinor),
    variantCount: item.variants.length,
  };
}
