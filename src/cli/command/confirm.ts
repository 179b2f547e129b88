import { AppError } from '../../domain/errors.ts';
import type { Cli } from './cli.ts';

/**
 * Asks before something that cannot be taken back, unless `yes` was given. Throws `invalid_input` for
 * any answer but "yes", and where nobody can answer.
 */
export async function confirm(
  cli: Cli,
  { question, yes }: { question: string; yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!cli.canAsk) throw new AppError('invalid_input', `${question} Say so with --yes.`);
  cli.note(`${question} Type "yes" to go on: `);
  if ((await answerOf(cli)) !== 'yes') throw new AppError('invalid_input', 'Nothing was done.');
}

/** Asks something that is no unless somebody says yes. */
export async function agrees(cli: Cli, question: string): Promise<boolean> {
  cli.note(`${question} [y/N] `);
  return ['y', 'yes'].includes(await answerOf(cli));
}

/** The first line that is typed, in lower case. */
async function answerOf(cli: Cli): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of cli.input()) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0]!.trim().toLowerCase();
}
