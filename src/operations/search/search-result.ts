import type { Shop } from '../../domain/organization.ts';
import type { Translator } from '../../messages/translator.ts';
import type { FieldsOfGroups } from '../../search/index/field-finder.ts';
import type { LearnedAnswers } from '../../search/learning/learned-model.ts';
import {
  countFlatGroups,
  flatGroups,
  joinFlat,
  type TermGroup,
} from '../../search/query/expand-terms.ts';
import type { Question } from '../../search/query/parse-question.ts';
import type { RankCuration } from '../../search/ranking/rank.ts';
import type { RankedCandidate } from '../../search/ranking/ranked-list.ts';
import {
  type AskedWords,
  askedWords,
  chooseVariant,
  type VariantChoice,
} from '../../search/results/choose-variant.ts';
import { type Explained, explain, matchedOn, SaidOfWords } from '../../search/results/explain.ts';
import type { FieldMatches, Highlight } from '../../search/results/match.ts';
import {
  documentHighlighter,
  type ReadableDocument,
  type ShownDocument,
} from '../indexes/shown-documents.ts';
import type { Retrieved } from './retrieve.ts';

interface PresentationOptions {
  readonly question: Question;
  readonly groups: readonly TermGroup[];
  readonly retrieved: Retrieved;
  readonly curation: RankCuration | null;
  readonly learned: LearnedAnswers | null;
}

/** What a question's results are judged and shown by. */
export class Presentation {
  readonly groups: readonly TermGroup[];
  readonly flat: readonly TermGroup[];
  readonly index: Retrieved['parts']['index'];
  readonly asked: AskedWords;
  readonly curation: RankCuration | null;
  readonly learned: LearnedAnswers | null;
  readonly said = new SaidOfWords();
  /** By the fields of the flat groups. */
  readonly #matches = new Map<FieldsOfGroups, FieldMatches>();
  #finder: ReturnType<Retrieved['parts']['index']['fieldFinder']> | null = null;
  #highlightsOf: ReturnType<typeof documentHighlighter> | null = null;
  /** Whether the question has more flat groups than an index looks for. */
  readonly #isCut: boolean;

  constructor({ question, groups, retrieved, curation, learned }: PresentationOptions) {
    this.groups = groups;
    this.flat = flatGroups(groups);
    this.#isCut = this.flat.length < countFlatGroups(groups);
    this.index = retrieved.parts.index;
    this.asked = askedWords(question);
    this.curation = curation;
    this.learned = learned;
  }

  /** Where the document at this place holds each flat group. */
  fieldsOfFlat(document: number): FieldsOfGroups {
    this.#finder ??= this.index.fieldFinder(this.flat);
    return this.#finder.find(document);
  }

  /** The same for the groups: the same object for equal ones. */
  matchesOf(fieldsOfFlat: FieldsOfGroups): FieldMatches {
    let matches = this.#matches.get(fieldsOfFlat);
    if (matches === undefined) {
      matches = { fieldsOfGroup: joinFlat(this.groups, fieldsOfFlat) };
      this.#matches.set(fieldsOfFlat, matches);
    }
    return matches;
  }

  highlightsOf(document: ReadableDocument, fieldsOfFlat: FieldsOfGroups): readonly Highlight[] {
    this.#highlightsOf ??= documentHighlighter(this.groups, this.index.terms);
    return this.#highlightsOf(document, this.#isCut ? null : fieldsOfFlat);
  }
}

/** A document that was found. What callers need in part only is made when it is read. */
export class SearchResult {
  readonly shop: Shop;
  /** 0 to 1, comparable within one answer. */
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  readonly #document: ReadableDocument;
  readonly #candidate: RankedCandidate;
  readonly #presentation: Presentation;
  #explained: Explained | null = null;
  #fieldsOfFlat: FieldsOfGroups | null = null;
  #choice: VariantChoice | null = null;

  constructor(
    found: { candidate: RankedCandidate; document: ReadableDocument; shop: Shop; rank: number },
    presentation: Presentation,
  ) {
    const { candidate, document, shop, rank } = found;
    this.shop = shop;
    this.score = Math.round(Math.min(1, Math.max(0, candidate.score)) * 10_000) / 10_000;
    this.rank = rank;
    this.#document = document;
    this.#candidate = candidate;
    this.#presentation = presentation;
  }

  /**
   * The same object for as long as the document is cached, so that callers can cache data derived
   * from it.
   */
  get document(): ShownDocument {
    return this.#document;
  }

  get stored(): ShownDocument['stored'] {
    return this.#document.stored;
  }

  /** The text to show: an offering's description, or a context's best passage. */
  get description(): string {
    return this.#document.description;
  }

  get matchedOn(): readonly string[] {
    return matchedOn(this.#explain(), this.#presentation.said);
  }

  get highlights(): readonly Highlight[] {
    return this.#presentation.highlightsOf(this.#document, this.#findFields());
  }

  explanation(translator: Translator): string {
    return explain(this.#explain(), translator, this.#presentation.said);
  }

  /** What the question leaves of the variants; null where there are fewer than two. */
  get choice(): VariantChoice | null {
    const { item } = this.stored;
    if (item.type !== 'product' || item.variants.length < 2) return null;
    this.#choice ??= chooseVariant(this.#presentation.asked, item);
    return this.#choice;
  }

  #explain(): Explained {
    const { groups, curation, learned } = this.#presentation;
    const { id, document, held, cosine, available, lift } = this.#candidate;
    this.#explained ??= {
      groups,
      matches: this.#presentation.matchesOf(this.#findFields()),
      held,
      cosine,
      available,
      isPinned: curation?.pinned.has(id) === true,
      factor: curation?.factorOf(document) ?? 1,
      chosen: learned?.reasonOf(id, lift) ?? null,
    };
    return this.#explained;
  }

  #findFields(): FieldsOfGroups {
    this.#fieldsOfFlat ??= this.#presentation.fieldsOfFlat(this.#candidate.document);
    return this.#fieldsOfFlat;
  }
}
