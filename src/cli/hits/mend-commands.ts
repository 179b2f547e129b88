import { createHash } from 'node:crypto';
import { printable } from './printable.ts';

/** Longest name that can have a synonym, in words. */
const NAME_WORDS = 2;

/** The ways to mend a question without a good answer. */
export type Way = 'synonym' | 'pin' | 'context' | 'ignore';

/**
 * The commands that mend a question without a good answer, ready for a POSIX shell but for the words
 * in capitals. `options` are those of the report that name the organization and the data folder.
 */
export function mendCommands(
  question: string,
  options: readonly string[],
): { readonly way: Way; readonly command: string }[] {
  const target = options.map((option) => ` ${shellWord(option)}`).join('');
  const shown = printable(question);
  const asked = shellWord(shown);
  const name = shown.split(/[\s-]+/).length > NAME_WORDS ? 'WORDS' : asked;
  const context = JSON.stringify({
    type: 'context',
    // The same for the same question, so that a second text replaces the first.
    externalId: `answer-${createHash('sha256').update(question).digest('hex').slice(0, 8)}`,
    name: shown,
    description: 'ANSWER',
  });
  return [
    { way: 'synonym', command: `vitrine tune synonym${target} -- ${name} OTHER` },
    { way: 'pin', command: `vitrine tune pin${target} -- ${asked} ITEM` },
    {
      way: 'context',
      command: `printf '%s' ${shellWord(context)} | vitrine catalog import${target} -`,
    },
    { way: 'ignore', command: `vitrine hits ignore${target} -- ${asked}` },
  ];
}

/** Text as one word of a POSIX shell, whatever it contains. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
