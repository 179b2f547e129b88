import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { type Line, readLines } from '../../catalog/bytes/lines.ts';
import { AppError } from '../../domain/errors.ts';
import { codePointCount } from '../../domain/text.ts';
import { QUESTION_MAX } from '../../http/search/search-query.ts';
import type { Grades } from './relevance-metrics.ts';

/** Faults of a file listed in one error. */
const FAULTS_MAX = 10;

export interface Question {
  readonly id: string;
  readonly text: string;
  /** The kind of question; null if the file does not say. */
  readonly class: string | null;
}

const JsonQuestion = Type.Object({
  id: Type.String({ minLength: 1 }),
  question: Type.String({ minLength: 1 }),
  class: Type.Optional(Type.String({ minLength: 1 })),
});

/**
 * Reads queries from TSV (id, text) or JSON Lines (`{id, question, class?}`), detected by the first
 * character. Throws `not_found`, or `invalid_input` with the faults by line.
 */
export async function readQuestions(path: string): Promise<Question[]> {
  const questions = new Map<string, Question>();
  let isJson: boolean | null = null;
  await readRecords(path, ({ text }) => {
    isJson ??= text.trimStart().startsWith('{');
    const question = isJson ? parseJsonQuestion(text) : parseTsvQuestion(text);
    if (question.text.trim() === '') throw new RangeError('the question is empty');
    if (codePointCount(question.text) > QUESTION_MAX) {
      throw new RangeError(`the question is longer than ${QUESTION_MAX} characters`);
    }
    if (questions.has(question.id)) throw new RangeError(`query "${question.id}" appears twice`);
    questions.set(question.id, question);
  });
  return [...questions.values()];
}

/**
 * Reads TREC judgements by query: query, an unused field, external id, grade 0 to 3. Tabs separate
 * the fields, or blanks in a line without tabs. Throws as `readQuestions` does.
 */
export async function readJudgements(path: string): Promise<Map<string, Grades>> {
  const judgements = new Map<string, Map<string, number>>();
  await readRecords(path, ({ text }) => {
    const fields = text.includes('\t') ? text.split('\t') : text.trim().split(/ +/);
    const [query = '', , item = '', grade = ''] = fields.map((field) => field.trim());
    if (fields.length !== 4 || query === '' || item === '') {
      throw new RangeError('must contain a query id, 0, an external id and a grade');
    }
    if (!/^[0-3]$/.test(grade)) throw new RangeError(`the grade is "${grade}", not 0, 1, 2 or 3`);
    const grades = judgements.get(query) ?? new Map<string, number>();
    if (grades.has(item)) throw new RangeError(`query "${query}" judges "${item}" twice`);
    judgements.set(query, grades.set(item, Number(grade)));
  });
  return judgements;
}

const SavedRunSchema = Type.Object({
  queries: Type.Array(
    Type.Object({ id: Type.String(), text: Type.String(), ranking: Type.Array(Type.String()) }),
  ),
});
/** The part of a saved run that a later run is compared with. The rest is for people. */
export interface SavedRun {
  readonly queries: readonly {
    readonly id: string;
    readonly text: string;
    readonly ranking: readonly string[];
  }[];
}

/**
 * Reads a saved run. Throws `not_found`, or `invalid_input` for a file that `--save` did not write.
 */
export async function readRun(path: string): Promise<SavedRun> {
  requireFile(path);
  const run = parseJson(await readFile(path, 'utf8'));
  if (!Check(SavedRunSchema, run)) {
    throw new AppError('invalid_input', `${path} is not a run that --save wrote.`);
  }
  return run;
}

/** Passes every line that is not blank to `take`. Throws one error for all the lines it refuses. */
async function readRecords(path: string, take: (line: Line) => void): Promise<void> {
  requireFile(path);
  const faults: string[] = [];
  let count = 0;
  for await (const line of readLines(createReadStream(path))) {
    if (line.problem === null && line.text.trim() === '') continue;
    count += 1;
    const fault = faultOf(line, take);
    if (fault !== null) faults.push(`${path}:${line.number}: ${fault}`);
  }
  if (count === 0) throw new AppError('invalid_input', `${path} is empty.`);
  if (faults.length === 0) return;
  const more =
    faults.length > FAULTS_MAX ? [`… and ${faults.length - FAULTS_MAX} more faults`] : [];
  throw new AppError('invalid_input', [...faults.slice(0, FAULTS_MAX), ...more].join('\n'));
}

function faultOf(line: Line, take: (line: Line) => void): string | null {
  if (line.problem !== null)
    return line.problem === 'invalid_utf8' ? 'is not UTF-8' : 'is too long';
  try {
    take(line);
    return null;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

function parseJsonQuestion(line: string): Question {
  const record = parseJson(line);
  if (!Check(JsonQuestion, record)) {
    throw new RangeError(
      'must be a JSON object with "id" and "question", and "class" if it has one',
    );
  }
  return { id: record.id, text: record.question, class: record.class ?? null };
}

function parseTsvQuestion(line: string): Question {
  const fields = line.split('\t');
  const [id = '', text = ''] = fields.map((field) => field.trim());
  if (fields.length !== 2 || id === '')
    throw new RangeError('must contain an id, a tab and a question');
  return { id, text, class: null };
}

/** The value of a JSON text; undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requireFile(path: string): void {
  if (!existsSync(path)) throw new AppError('not_found', `There is no file ${path}.`);
}
