import { AppError } from '../../domain/errors.ts';
import type { Cli } from './cli.ts';

/**
 * Asks for confirmation of something that cannot be undone, unless `yes` is given. Throws
 * `invalid_input` for any answer but "yes", and if nobody can answer.
 */
export async function confirm(
  cli: Cli,
  { question, yes }: { question: string; yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!cli.canAsk) throw new AppError('invalid_input', `${question} Confirm with --yes.`);
  cli.note(`${question} Type "yes" to continue: `);
  if ((await answerOf(cli)) !== 'yes')
    throw new AppError('invalid_input', 'Cancelled: nothing was changed.');
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
