import Type, { type Static } from 'typebox';
import { isAvailable } from '../../domain/catalog.ts';
import { leadingVariant, optionValues } from '../../domain/variants.ts';
import type { Translator } from '../../messages/translator.ts';
import { type FoundOffering, findOffering } from '../../operations/offerings/find-offering.ts';
import { domainsOf } from '../../operations/offerings/offering-links.ts';
import { translatorOf } from '../conversation.ts';
import { ucpEnvelope } from '../ucp.ts';
import { defineTool } from './tool.ts';
import { DETAIL_MAX, productsText, selectionOf, ucpProduct } from './ucp-product.ts';
import {
  filterMessages,
  type Message,
  narrow,
  Opaque,
  type Priced,
  purchasable,
  SelectedOption,
  UcpId,
  ucpInput,
} from './ucp-request.ts';

const NAME = 'get_product';

const OPTIONS_MAX = 20;

export const ucpGetProduct = defineTool({
  name: NAME,
  title: ['title.get_product'],
  description: ['describe.get_product'],
  ...ucpInput({
    id: UcpId,
    selected: Type.Optional(Type.Array(SelectedOption, { maxItems: OPTIONS_MAX })),
    preferences: Type.Optional(Type.Array(UcpId, { maxItems: OPTIONS_MAX })),
  }),
  output: Type.Object({
    ucp: Opaque,
    product: Type.Optional(Opaque),
  }),
  async handle(conversation, { catalog }) {
    const { services, organization } = conversation;
    const translator = translatorOf(conversation);
    const found = await findOffering(services, organization.key, catalog.id);
    const all = found === null ? [] : narrow(catalog, found.offering, purchasable(found.offering));
    if (found === null || all.length === 0) return notFound(translator);
    const { id, shop, offering } = found;
    const selected = effectiveSelection(found, all, catalog);
    const matching = all.filter((variant) => hasAll(variant, selected));
    const source = { id, shop, offering, variants: featuredFirst(found, matching) };
    const domains = domainsOf(services, organization.key);
    const product = ucpProduct(source, domains, DETAIL_MAX);
    const messages = filterMessages(catalog, [offering.currency], translator);
    return {
      text: productsText(translator.text('ucp.product'), [source], { domains, translator }),
      structured: {
        ucp: ucpEnvelope('lookup'),
        product: {
          ...product,
          options: product.options.map(({ name, values }) => ({
            name,
            values: values.map(({ label }) => ({
              label,
              ...signals(all, selected, { name, label }),
            })),
          })),
          selected,
        },
        ...(messages.length > 0 && { messages }),
      },
      ownHit: { classification: 'product_view', tool: NAME, offeringId: id },
    };
  },
});

/** An outcome of the protocol, not an error of the tool. */
function notFound({ text }: Translator) {
  const message: Message = {
    type: 'error',
    code: 'not_found',
    content: text('ucp.notFound'),
    severity: 'unrecoverable',
  };
  return {
    text: text('ucp.unknown'),
    structured: { ucp: { ...ucpEnvelope('lookup'), status: 'error' }, messages: [message] },
    ownHit: { classification: 'mcp_call', tool: NAME, resultCount: 0 },
  };
}

type Selection = readonly Static<typeof SelectedOption>[];

/**
 * What is selected in the answer: the options of the variant that was asked for; else as much of the
 * request as a variant has, without those options first that are preferred least; else the options of the
 * featured variant. Empty for a product without options.
 */
function effectiveSelection(
  found: FoundOffering,
  all: readonly Priced[],
  { selected, preferences = [] }: { selected?: Selection; preferences?: readonly string[] },
): Selection {
  if (found.offering.variants.length < 2) return [];
  const named = all.find(({ id }) => id === found.variant?.id);
  if (named !== undefined) return selectionOf(named);
  if (selected === undefined) return selectionOf(featuredFirst(found, all)[0]!);
  const rank = ({ name }: Selection[number]) => {
    const place = preferences.findIndex((preferred) => isSame(preferred, name));
    return place < 0 ? preferences.length : place;
  };
  const ranked = selected
    .filter(({ name }) => all.some((variant) => optionValueOf(variant, name) !== undefined))
    .toSorted((one, other) => rank(one) - rank(other));
  while (!all.some((variant) => hasAll(variant, ranked))) ranked.pop();
  const kept = selected.filter((selection) => ranked.includes(selection));
  const example = all.find((variant) => hasAll(variant, kept))!;
  return selectionOf(example).filter(({ name }) => kept.some((one) => isSame(one.name, name)));
}

/** The variant that was asked for first, else the one whose price the product shows. */
function featuredFirst(
  { offering, variant }: FoundOffering,
  variants: readonly Priced[],
): Priced[] {
  const featured = variant ?? leadingVariant(offering);
  const isFeatured = ({ id }: Priced) => id === featured?.id;
  return [...variants.filter(isFeatured), ...variants.filter((one) => !isFeatured(one))];
}

/** Whether a variant has this value beside what is selected of the other options, and can be bought. */
function signals(all: readonly Priced[], selected: Selection, value: Selection[number]) {
  const others = selected.filter(({ name }) => name !== value.name);
  const having = all.filter((variant) => hasAll(variant, [...others, value]));
  return {
    available: having.some(({ availability }) => isAvailable(availability)),
    exists: having.length > 0,
  };
}

function hasAll(variant: Priced, selected: Selection): boolean {
  return selected.every(({ name, label }) => {
    const value = optionValueOf(variant, name);
    return value !== undefined && isSame(value, label);
  });
}

function optionValueOf(variant: Priced, option: string): string | undefined {
  return Object.entries(optionValues(variant)).find(([name]) => isSame(name, option))?.[1];
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
