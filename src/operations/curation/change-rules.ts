import Type from 'typebox';
import {
  type CurationRule,
  describeRule,
  RULES_MAX,
  readRule,
  ruleId,
} from '../../domain/curation.ts';
import { AppError } from '../../domain/errors.ts';
import type { Organization, Shop } from '../../domain/organization.ts';
import { type Language, languageOf } from '../../search/text/language.ts';
import { findIdentifiedItems } from '../../storage/catalog/identified-items.ts';
import {
  dropVersion,
  findFormerVersion,
  findRules,
  type ShopVersion,
  saveRules,
} from '../../storage/curations.ts';
import type { BaseServices } from '../base-services.ts';
import { defineOperation } from '../define-operation.ts';
import { commit } from '../tenants/commit.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import type { CurationServices } from './curation-services.ts';
import { itemsIn, questionKey } from './curations.ts';

const Target = {
  organization: Type.Optional(Type.String()),
  shop: Type.Optional(
    Type.String({ description: 'Id or handle; may be omitted if there is only one.' }),
  ),
};

/** Read one by one, so that a fault names its rule. */
const Rules = Type.Array(Type.Unknown(), { maxItems: RULES_MAX });

/** A shop's rules, as a command and the admin page show them. */
export interface RuleList {
  /** Handle. */
  readonly shop: string;
  readonly rules: readonly (CurationRule & {
    readonly id: string;
    /** The rule in one line, without its kind. */
    readonly text: string;
  })[];
  /** External ids in the rules that the shop's catalogue does not contain now. */
  readonly missing: readonly string[];
}

/** What a change did, or would do. */
export interface RuleChange extends RuleList {
  readonly added: number;
  readonly removed: number;
}

export const listRules = defineOperation({
  name: 'curation.list',
  input: Type.Object(Target),
  async run(services: CurationServices, input) {
    const { shop } = resolve(services, input);
    return viewRules(services, shop, await rulesOf(services, shop));
  },
});

/**
 * Adds rules and removes others by their ids. A rule that is there already changes nothing. A pin replaces
 * earlier pins of the same item in the answers to the same question.
 */
export const changeRules = defineOperation({
  name: 'curation.change',
  input: Type.Object({
    ...Target,
    add: Type.Optional(Rules),
    remove: Type.Optional(Type.Array(Type.String(), { maxItems: RULES_MAX })),
  }),
  /** Throws `invalid_input`, or `not_found` for an id or an item that the shop does not have. */
  run: (services: CurationServices, input) =>
    services.curationMutex.run(async () => {
      const { organization, shop } = resolve(services, input);
      const { remove = [] } = input;
      const add = readRules(input.add ?? []);
      const former = await rulesOf(services, shop);
      const unknown = remove.find((id) => !former.some((rule) => ruleId(rule) === id));
      if (unknown !== undefined)
        throw new AppError(
          'not_found',
          `There is no rule ${unknown}: "vitrine tune list" shows them.`,
        );
      const [missing] = await missingItems(services, shop, add);
      // Most likely misspelt.
      if (missing !== undefined)
        throw new AppError(
          'not_found',
          `The catalogue of ${shop.handle} has no item with the external id "${missing}".`,
        );
      const language = languageOf(shop.locale);
      const kept = former.filter(
        (rule) =>
          !remove.includes(ruleId(rule)) && !add.some((pin) => isMoved(rule, pin, language)),
      );
      return replace(services, { organization, shop }, { former, rules: [...kept, ...add] });
    }),
});

/** Replaces all rules, as a file that was exported has them. */
export const importRules = defineOperation({
  name: 'curation.import',
  input: Type.Object({ ...Target, rules: Rules, dryRun: Type.Optional(Type.Boolean()) }),
  /** Throws `invalid_input`. */
  run: (services: CurationServices, input) =>
    services.curationMutex.run(async () => {
      const { organization, shop } = resolve(services, input);
      const former = await rulesOf(services, shop);
      const change = { former, rules: readRules(input.rules), isDryRun: input.dryRun === true };
      return replace(services, { organization, shop }, change);
    }),
});

/** Takes the last change back. */
export const undoRules = defineOperation({
  name: 'curation.undo',
  input: Type.Object(Target),
  /** Throws `not_found` where no earlier version is kept. */
  run: (services: CurationServices, input) =>
    services.curationMutex.run(async () => {
      const { db } = services;
      const { organization, shop } = resolve(services, input);
      const present = versionOf(shop);
      const version = await findFormerVersion(db, present);
      if (version === null) throw new AppError('not_found', 'There is no change to take back.');
      const former = await findRules(db, present);
      const rules = await findRules(db, { ...present, version });
      const counts = compare(former, rules);
      await commit(services, dropVersion(db, present, version), {
        organization,
        event: 'curation.undone',
        details: { shop: shop.handle, ...counts },
      });
      return { ...(await viewRules(services, shop, rules)), ...counts };
    }),
});

function resolve(
  services: BaseServices,
  input: { readonly organization?: string; readonly shop?: string },
): { organization: Organization; shop: Shop } {
  const organization = resolveOrganization(services, input.organization);
  return { organization, shop: resolveShop(services, organization, input.shop) };
}

/** Throws `invalid_input` for the first rule that is wrong. */
function readRules(values: readonly unknown[]): CurationRule[] {
  return values.map((value, index) => {
    const rule = readRule(value);
    if (typeof rule !== 'string') return rule;
    throw new AppError('invalid_input', values.length === 1 ? rule : `Rule ${index + 1}: ${rule}`);
  });
}

/** Whether `pin` puts the item of `rule` on a place in the answers to the same question. */
function isMoved(rule: CurationRule, pin: CurationRule, language: Language): boolean {
  return (
    rule.kind === 'pin' &&
    pin.kind === 'pin' &&
    rule.item === pin.item &&
    questionKey(rule.question, language) === questionKey(pin.question, language)
  );
}

function versionOf({ key, curationVersion }: Shop): ShopVersion {
  return { shopKey: key, version: curationVersion };
}

function rulesOf({ db }: BaseServices, shop: Shop) {
  return findRules(db, versionOf(shop));
}

function compare(former: readonly CurationRule[], rules: readonly CurationRule[]) {
  const before = new Set(former.map(ruleId));
  const after = new Set(rules.map(ruleId));
  return { added: after.difference(before).size, removed: before.difference(after).size };
}

interface Replacement {
  readonly former: readonly CurationRule[];
  readonly rules: readonly CurationRule[];
  readonly isDryRun?: boolean;
}

async function replace(
  services: CurationServices,
  { organization, shop }: { readonly organization: Organization; readonly shop: Shop },
  { former, rules, isDryRun = false }: Replacement,
): Promise<RuleChange> {
  const distinct = [...new Map(rules.map((rule) => [ruleId(rule), rule])).values()];
  if (distinct.length > RULES_MAX)
    throw new AppError('invalid_input', `A shop can have at most ${RULES_MAX} rules.`);
  const counts = compare(former, distinct);
  if (!isDryRun && counts.added + counts.removed > 0) {
    const changedAt = services.platform.now();
    await commit(
      services,
      saveRules(services.db, versionOf(shop), { rules: distinct, changedAt }),
      {
        organization,
        event: 'curation.changed',
        details: { shop: shop.handle, ...counts },
      },
    );
  }
  return { ...(await viewRules(services, shop, distinct)), ...counts };
}

async function viewRules(
  services: BaseServices,
  shop: Shop,
  rules: readonly CurationRule[],
): Promise<RuleList> {
  return {
    shop: shop.handle,
    rules: rules.map((rule) => ({ id: ruleId(rule), text: describeRule(rule), ...rule })),
    missing: await missingItems(services, shop, rules),
  };
}

/** The external ids in rules that the shop's catalogue does not contain now. */
async function missingItems(
  { db }: BaseServices,
  shop: Shop,
  rules: readonly CurationRule[],
): Promise<string[]> {
  const items = await findIdentifiedItems(db, shop, itemsIn(rules));
  return items.flatMap(({ externalId, documentKey }) => (documentKey === null ? [externalId] : []));
}
