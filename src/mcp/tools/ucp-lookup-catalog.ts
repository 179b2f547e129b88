import Type from 'typebox';
import { leadingVariant } from '../../domain/variants.ts';
import { type FoundOffering, findOffering } from '../../operations/offerings/find-offering.ts';
import { domainsOf } from '../../operations/offerings/offering-links.ts';
import { translatorOf } from '../conversation.ts';
import { ucpEnvelope } from '../ucp.ts';
import { defineTool, wrongArguments } from './tool.ts';
import { type ProductSource, productsText, ucpProduct } from './ucp-product.ts';
import {
  filterMessages,
  type Message,
  narrow,
  Opaque,
  type Priced,
  purchasable,
  type UcpFilters,
  UcpId,
  ucpInput,
} from './ucp-request.ts';

const NAME = 'lookup_catalog';

const IDS_MAX = 20;

export const ucpLookupCatalog = defineTool({
  name: NAME,
  title: ['title.lookup_catalog'],
  description: ['describe.lookup_catalog', { max: IDS_MAX }],
  ...ucpInput({ ids: Type.Array(UcpId, { minItems: 1 }) }),
  output: Type.Object({
    ucp: Opaque,
    products: Type.Array(Opaque),
  }),
  async handle(conversation, { catalog }) {
    const { services, organization } = conversation;
    const translator = translatorOf(conversation);
    // The protocol has -32602 for this in every revision.
    if (catalog.ids.length > IDS_MAX)
      throw wrongArguments([{ path: 'catalog.ids', message: `has more than ${IDS_MAX} items` }]);
    const resolved = new Map<string, Resolved>();
    const messages: Message[] = [];
    for (const id of new Set(catalog.ids)) {
      const found = await findOffering(services, organization.key, id);
      const variant = found === null ? null : resolveVariant(found);
      if (found === null || variant === null)
        messages.push({ type: 'info', code: 'not_found', content: id });
      else addTo(resolved, found, { variant, input: { id, match: matchOf(found) } });
    }
    const domains = domainsOf(services, organization.key);
    const sources = [...resolved.values()].flatMap((one) => withinFilters(one, catalog));
    const currencies = [...resolved.values()].map(({ found }) => found.offering.currency);
    messages.push(...filterMessages(catalog, currencies, translator));
    return {
      text: productsText(translator.text('ucp.lookedUp', { count: sources.length }), sources, {
        domains,
        translator,
      }),
      structured: {
        ucp: ucpEnvelope('lookup'),
        products: sources.map((source) => lookedUp(source, domains)),
        ...(messages.length > 0 && { messages }),
      },
      ownHit: { classification: 'mcp_call', tool: NAME, resultCount: sources.length },
    };
  },
});

/** How an id of the request led to a variant. */
interface Input {
  readonly id: string;
  readonly match: 'exact' | 'featured';
}

interface Resolved {
  readonly found: FoundOffering;
  readonly variants: Map<Priced, Input[]>;
}

/** The variant that the id names, else the one that stands for its product; null if it has no price. */
function resolveVariant({ offering, variant }: FoundOffering): Priced | null {
  const all = purchasable(offering);
  const meant = variant ?? leadingVariant(offering);
  return meant === null ? (all[0] ?? null) : (all.find(({ id }) => id === meant.id) ?? null);
}

/** A product without variants is its own only one. */
function matchOf({ variant, offering }: FoundOffering): Input['match'] {
  return variant === null && offering.variants.length > 0 ? 'featured' : 'exact';
}

function addTo(
  resolved: Map<string, Resolved>,
  found: FoundOffering,
  { variant, input }: { variant: Priced; input: Input },
): void {
  const one = resolved.get(found.id) ?? { found, variants: new Map<Priced, Input[]>() };
  resolved.set(found.id, one);
  // Every look-up reads the offering anew, so that variants are the same only by their id.
  const known = [...one.variants.keys()].find(({ id }) => id === variant.id) ?? variant;
  one.variants.set(known, [...(one.variants.get(known) ?? []), input]);
}

interface LookedUp extends ProductSource {
  readonly inputs: ReadonlyMap<Priced, readonly Input[]>;
}

function withinFilters({ found, variants: inputs }: Resolved, filters: UcpFilters): LookedUp[] {
  const { id, shop, offering } = found;
  const variants = narrow(filters, offering, [...inputs.keys()]);
  return variants.length === 0 ? [] : [{ id, shop, offering, variants, inputs }];
}

function lookedUp(source: LookedUp, domains: readonly string[]) {
  const product = ucpProduct(source, domains);
  return {
    ...product,
    variants: product.variants.map((variant, index) => ({
      ...variant,
      inputs: source.inputs.get(source.variants[index]!),
    })),
  };
}
