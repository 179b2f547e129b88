import { Command } from 'commander';
import {
  type OperatorSearch,
  searchForOperator,
} from '../operations/search/search-for-operator.ts';
import { bold, type Cli, type CommonOptions, dim, printResult, shopOf } from './command/cli.ts';
import { wholeNumber } from './command/numbers.ts';
import { operate } from './command/operator.ts';

const LIMIT_DEFAULT = 10;
const BAR_WIDTH = 10;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

interface SearchOptions extends CommonOptions {
  readonly explain?: boolean;
  readonly productsOnly?: boolean;
  readonly scoring: boolean;
  readonly limit: number;
}

export function searchCommand(cli: Cli): Command {
  return new Command('search')
    .description('search the catalogue as an assistant would')
    .argument('<question...>', 'in plain words, such as “waterproof jacket under 150”')
    .option('--explain', 'explain the rank of each result')
    .option('--products-only', 'leave out contexts')
    .option('--no-scoring', 'keep the order of retrieval, without the scoring step')
    .option('--limit <count>', 'number of results, at most 100', wholeNumber(1, 100), LIMIT_DEFAULT)
    .addHelpText('after', '\nExample:\n  vitrine search "gift for a coffee lover" --explain')
    .action(async (words: string[], _options: object, command: Command) => {
      const options = command.optsWithGlobals<SearchOptions>();
      const input = {
        ...shopOf(options),
        question: words.join(' '),
        productsOnly: options.productsOnly === true,
        skipScoring: !options.scoring,
        limit: options.limit,
      };
      const answer = await operate(cli, options, searchForOperator, input, { needsModel: true });
      printResult(cli, options, answer, (result) =>
        renderSearch(result, { explain: options.explain === true, columns: cli.columns }),
      );
    });
}

/**
 * A table with score bars, best first; `explain` adds a line with the reasons below each result.
 */
export function renderSearch(
  answer: OperatorSearch,
  { explain, columns }: { explain: boolean; columns: number },
): string {
  const { query, results, total, scoring, suggestion, warnings, tookMs } = answer;
  const prices = results.map(({ price, compareAtPrice, currency, available, type }) =>
    type === 'context'
      ? 'context'
      : `${price === null ? '–' : `${price} ${currency}`}${compareAtPrice === null ? '' : ` (was ${compareAtPrice})`}${available === false ? ', sold out' : ''}`,
  );
  const priceWidth = Math.max(0, ...prices.map((price) => price.length));
  const nameWidth = Math.max(20, columns - priceWidth - BAR_WIDTH - 14);
  const lines = results.flatMap(({ rank, score, name, explanation, matchedOn }, index) => {
    const shown = name.length > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name;
    const line = `${String(rank).padStart(3)}  ${scoreBar(score)} ${score.toFixed(2)}  ${bold(shown.padEnd(nameWidth))}  ${prices[index]}`;
    return explain ? [line, dim(`     ${explanation} [${matchedOn.join(', ')}]`)] : [line];
  });
  const head = `${results.length} of ${total} for “${query}” in ${tookMs} ms, scoring: ${scoring}`;
  const remarks = [...(suggestion === null ? [] : [`Did you mean “${suggestion}”?`]), ...warnings];
  return [head, ...remarks, '', ...(lines.length > 0 ? lines : ['No results.'])].join('\n');
}

/** A bar of ten cells, drawn in eighths of a cell. */
function scoreBar(score: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, score)) * BAR_WIDTH * 8);
  const bar = '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
  return bar.padEnd(BAR_WIDTH, '·');
}
