import type { Translator } from '../messages/translator.ts';
import { rangeText } from './figures.ts';
import type { PageContent } from './page-content.ts';
import type { CatalogSurvey } from './survey.ts';

/** Groups that the sentence names. */
const NAMED_GROUPS = 3;

/** The shop's own description, else the model's introduction, else a sentence made from the survey. */
export function shopSentence(
  { organization, introduction, survey }: PageContent,
  translator: Translator,
): string {
  const { name, profile } = organization;
  return profile.description ?? introduction ?? numbersSentence(name, survey, translator);
}

function numbersSentence(name: string, survey: CatalogSurvey, translator: Translator): string {
  const { products, services, categories, prices } = survey;
  const { text, list } = translator;
  const offers = list([
    ...(products > 0 || services === 0 ? [text('landing.products', { count: products })] : []),
    ...(services > 0 ? [text('landing.bookable', { count: services })] : []),
  ]);
  const range = prices[0] === undefined ? null : rangeText(prices[0], translator);
  const groups = groupNames(survey, translator);
  const values = { name, offers };
  if (groups === '') {
    return range === null
      ? text('landing.plain', values)
      : text('landing.plainPriced', { ...values, range });
  }
  const [plain, priced] =
    categories.length > 0
      ? (['landing.byCategory', 'landing.byCategoryPriced'] as const)
      : (['landing.byBrand', 'landing.byBrandPriced'] as const);
  return range === null
    ? text(plain, { ...values, groups })
    : text(priced, { ...values, groups, range });
}

/** The first categories, or brands if there are no categories; empty without either. */
function groupNames({ categories, vendors }: CatalogSurvey, { text }: Translator): string {
  const groups = categories.length > 0 ? categories : vendors;
  const names = groups
    .slice(0, NAMED_GROUPS)
    .map((group) => group.name)
    .join(', ');
  const count = Math.max(0, groups.length - NAMED_GROUPS);
  if (count === 0) return names;
  return text(categories.length > 0 ? 'landing.moreCategories' : 'landing.moreBrands', {
    names,
    count,
  });
}
