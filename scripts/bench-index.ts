/**
 * Measures the index in memory alone, without HTTP and database, at several sizes: how long it takes
 * to build, and where the time of a search goes.
 *
 *   bun scripts/bench-index.ts DATA [--queries queries.tsv] [--sizes 20000,100000,500000,1000000]
 *
 * DATA is a data folder whose offerings have their vectors. Larger catalogues are made of copies with
 * other words and other vectors. The questions are those of the file and words of names; every sixth
 * has a price limit and every fifth asks one shop of four.
 */
import { parseArgs } from 'node:util';
import { REFERENCE_SCALE } from '../src/models/cosine-scale.ts';
import { searchLayers } from '../src/operations/indexes/layers.ts';
import type { LoadedIndex } from '../src/operations/indexes/loaded-index.ts';
import { shopLanguages } from '../src/operations/indexes/shop-languages.ts';
import { ShownDocuments } from '../src/operations/indexes/shown-documents.ts';
import { describeCandidates } from '../src/operations/search/describe-candidates.ts';
import { retrieve } from '../src/operations/search/retrieve.ts';
import { understandTerms } from '../src/operations/search/understand-terms.ts';
import { FactTable } from '../src/search/index/fact-table.ts';
import { MemoryIndexBuilder } from '../src/search/index/memory-index-builder.ts';
import { NameTableBuilder } from '../src/search/index/name-table.ts';
import { TermNumbers } from '../src/search/index/term-table.ts';
import { flatGroups } from '../src/search/query/expand-terms.ts';
import { parseQuestion, type Question } from '../src/search/query/parse-question.ts';
import { Ranker } from '../src/search/ranking/rank.ts';
import { Lexicon } from '../src/search/text/lexicon.ts';
import { FEEDBACK_CANDIDATES } from '../src/search/tuning/ranking-weights.ts';
import {
  type GrownDocument,
  growDocuments,
  openData,
  readDocuments,
} from './bench/grown-catalog.ts';
import { chooseQuestions } from './bench/questions.ts';

const SIZES = '20000,100000,500000,1000000';
const QUESTIONS = 300;
const ROUNDS = 3;
/** The most candidates from each retriever; more for a question with constraints. */
const CANDIDATES = 150;
const CONSTRAINED_CANDIDATES = 400;
/** Of how many questions the vector search is compared with all cosines. */
const RECALL_QUESTIONS = 20;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { queries: { type: 'string' }, sizes: { type: 'string', default: SIZES } },
});
const [folder] = positionals;
if (folder === undefined)
  throw new Error(
    'usage: bun scripts/bench-index.ts DATA [--queries queries.tsv] [--sizes 20000,100000]',
  );

const services = await openData(folder);
const languageOfShop = shopLanguages(services.directory);
const { documents, dimensions } = await readDocuments(services);
const questions = await readQuestions();
for (const size of values.sizes.split(',').map(Number)) await measureAt(size);
await services.close();
process.exit(0);

interface Asked {
  readonly question: Question;
  readonly vector: Float32Array;
  readonly shopKeys: readonly number[] | null;
}

async function readQuestions(): Promise<Asked[]> {
  const items = documents.map(({ title }) => ({ name: title }));
  const texts = chooseQuestions(items, { file: values.queries, count: QUESTIONS });
  const asked: Asked[] = [];
  const language = languageOfShop(1);
  for (const [number, text] of texts.entries()) {
    const question = parseQuestion(number % 6 === 5 ? `${text} under 200` : text, language);
    const answer = await services.embeddings.questionVector(question.embeddingText);
    if (answer.state !== 'ready') throw new Error('The embedding model does not answer.');
    asked.push({ question, vector: answer.vector, shopKeys: number % 5 === 4 ? [1] : null });
  }
  return asked;
}

async function measureAt(size: number): Promise<void> {
  const loaded = build(size);
  const laps = new Map<string, Float64Array>();
  for (let round = 0; round <= ROUNDS; round++)
    for (const [number, asked] of questions.entries()) {
      const timed = await search(loaded, asked);
      // The first round only warms up. Of the others the fastest counts, because the machine may be
      // busy with something else.
      for (const [stage, ms] of round === 0 ? [] : timed) {
        const fastest = laps.get(stage) ?? new Float64Array(questions.length).fill(Infinity);
        laps.set(stage, fastest);
        fastest[number] = Math.min(fastest[number]!, ms);
      }
    }
  for (const [stage, times] of laps) {
    times.sort();
    const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(3).padStart(8);
    console.log(`  ${stage.padEnd(12)} p50 ${at(0.5)} ms  p90 ${at(0.9)}  p99 ${at(0.99)}`);
  }
  console.log(`  recall@${CANDIDATES} of the vector search ${recall(loaded, size).toFixed(4)}`);
}

function build(size: number): LoadedIndex {
  const started = performance.now();
  const terms = new TermNumbers();
  const lexicon = new Lexicon();
  const builder = new MemoryIndexBuilder({ dimensions, terms });
  const names = new NameTableBuilder(terms);
  const facts = new FactTable();
  let grownMs = 0;
  const steps = growDocuments(documents, size);
  for (;;) {
    const before = performance.now();
    const step: IteratorResult<GrownDocument> = steps.next();
    grownMs += performance.now() - before;
    if (step.done === true) break;
    builder.add(step.value.document);
    names.add(step.value.name, lexicon);
    facts.add(step.value.facts);
  }
  const finishing = finish(builder, names);
  let longestMs = 0;
  for (;;) {
    const before = performance.now();
    const step = finishing.next();
    longestMs = Math.max(longestMs, performance.now() - before);
    if (step.done !== true) continue;
    // As the service does in the background.
    if (step.value.index.isDisordered) for (const _ of step.value.index.orderVectors());
    const base = { id: Symbol('index'), ...step.value, facts };
    const layers = { base, overlay: null };
    const searchable = searchLayers(layers);
    const seconds = (performance.now() - started - grownMs) / 1000;
    console.log(
      `${size} documents: built in ${seconds.toFixed(1)} s, longest step ${longestMs.toFixed(1)} ms, ${(searchable.byteSize / 1e6).toFixed(0)} MB`,
    );
    const shown = new ShownDocuments(services.db, languageOfShop);
    return { ...searchable, layers, shown, shops: new Map(), modelKey: 1 };
  }
}

function* finish(builder: MemoryIndexBuilder, names: NameTableBuilder) {
  return { index: yield* builder.finish(), names: yield* names.finish() };
}

/** The stages of a search, as the operation goes through them. */
async function search(
  loaded: LoadedIndex,
  { question, vector, shopKeys }: Asked,
): Promise<Map<string, number>> {
  const scope = { organizationKey: 1, shopKeys, productsOnly: false };
  const laps = new Map<string, number>();
  const start = performance.now();
  let last = start;
  const lap = (stage: string) => {
    const now = performance.now();
    laps.set(stage, now - last);
    last = performance.now();
  };
  const { constraints, measures, isSentence, asksShop, asksPolicy } = question;
  const { groups, headGroup, accessories, compounds } = understandTerms(loaded.index, question);
  lap('understand');
  const limit = constraints.length > 0 ? CONSTRAINED_CANDIDATES : CANDIDATES;
  loaded.index.search({ groups: flatGroups(groups), vector: null, scope, limit });
  lap('words');
  loaded.index.search({ groups: [], vector, scope, limit });
  lap('vectors');
  const alone = performance.now() - start - laps.get('understand')!;
  const scale = REFERENCE_SCALE;
  const retrieved = retrieve(loaded, scope, {
    ...{ groups: flatGroups(groups), pinned: [], limit },
    embedding: { model: { key: 1, tag: '', dimensions, scale }, vector },
  });
  lap('retrieve');
  const candidates = describeCandidates(retrieved, {
    ...{ groups, headGroup, accessories, compounds, scale },
    exclusions: [],
  });
  lap('describe');
  const asked = {
    ...{
      groups,
      headGroup,
      isSentence,
      asksShop,
      asksPolicy,
      measures,
      constraints,
      isEnglish: true,
      hasVector: true,
    },
  };
  const ranker = new Ranker(candidates, asked, { skipScoring: false });
  const feedback = retrieved.measureCommon(ranker.best(FEEDBACK_CANDIDATES));
  lap('feedback');
  const { ranked } = ranker.rank(feedback);
  lap('rank');
  retrieved.parts.index.facets(ranked.documents());
  lap('facets');
  last = start + alone;
  lap('together');
  return laps;
}

function recall({ index }: LoadedIndex, size: number): number {
  const keys = Array.from({ length: size }, (_, at) => at + 1);
  const sample = questions.slice(0, RECALL_QUESTIONS);
  let found = 0;
  for (const { vector } of sample) {
    const scope = { shopKeys: null, productsOnly: false };
    const candidates = index.search({ groups: [], vector, scope, limit: CANDIDATES });
    const { documents, cosines } = index.describe(keys, { groups: [], vector });
    const nearest = Array.from(documents.keys())
      .sort((left, right) => cosines[right]! - cosines[left]!)
      .slice(0, CANDIDATES);
    const brought = new Set(candidates.documents);
    found += nearest.filter((at) => brought.has(documents[at]!)).length / CANDIDATES;
  }
  return found / sample.length;
}
