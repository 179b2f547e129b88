import { Command } from 'commander';
import { localUrl } from '../config.ts';
import { AppError } from '../domain/errors.ts';
import {
  type Cli,
  type CommonOptions,
  configOf,
  printResult,
  withSettings,
} from './command/cli.ts';

/** Time limit, longer than a health check waits. */
const GIVE_UP_MS = 4000;

/** A health check for places without curl, such as the container image. */
export function readyCommand(cli: Cli): Command {
  return withSettings(new Command('ready'))
    .description('check whether the service on this machine accepts requests; exit code 69 if not')
    .addHelpText('after', '\nExample:\n  vitrine ready --listen 127.0.0.1:8787')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { listen } = configOf(cli, options);
      const answer = await ask(`${localUrl(listen)}/readyz`);
      if (answer === null)
        throw new AppError('unavailable', `No service answers at ${localUrl(listen)}.`);
      if (!answer.isReady) throw new AppError('unavailable', `Not ready: ${answer.text}`);
      printResult(cli, options, { ready: true }, () => 'ready');
    });
}

/** Null if nothing answers in time. */
async function ask(url: string): Promise<{ isReady: boolean; text: string } | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(GIVE_UP_MS) });
    return { isReady: response.ok, text: await response.text() };
  } catch {
    return null;
  }
}
