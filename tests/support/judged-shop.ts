import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalReport } from '../../src/cli/eval/eval-report.ts';
import { vitrine } from './command-line.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface JudgedShop {
  /** Files and folders of its catalogue. */
  readonly catalog: readonly string[];
  readonly locale: string;
  /** The folder of its questions.jsonl and judgements.tsv. */
  readonly judged: string;
  /** Whether it is searched by words alone, which takes a tenth of the time. */
  readonly wordsAlone?: boolean;
}

/** How well the embedded ranker answers the shop's questions. Prints the table of `vitrine eval`. */
export async function measureShop({
  catalog,
  locale,
  judged,
  wordsAlone = false,
}: JudgedShop): Promise<EvalReport> {
  const folder = temporaryFolder();
  try {
    const saved = join(folder.path, 'run.json');
    const { exitCode, stdout, stderr } = await vitrine(
      [
        ...['eval', '--queries', join(judged, 'questions.jsonl')],
        ...['--judgements', join(judged, 'judgements.tsv')],
        ...catalog.flatMap((path) => ['--catalog', path]),
        ...['--locale', locale, '--save', saved],
      ],
      wordsAlone ? { environment: { VITRINE_EMBEDDER: 'off' } } : {},
    );
    if (exitCode !== 0) throw new Error(stderr);
    console.log(stdout);
    return JSON.parse(readFileSync(saved, 'utf8')) as EvalReport;
  } finally {
    folder.remove();
  }
}

/** The classes whose NDCG@10 is below its floor, with what they reach. */
export function classesBelow(
  { byClass }: EvalReport,
  floors: Readonly<Record<string, number>>,
): (readonly [string, number])[] {
  return Object.entries(byClass)
    .map(([name, { figures }]) => [name, figures['ndcg@10']] as const)
    .filter(([name, ndcg]) => !(ndcg >= floors[name]!));
}
