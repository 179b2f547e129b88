import type { Command } from 'commander';
import { type Cli, readSecret } from './cli.ts';

export interface ApiKeyOptions {
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
}

const VARIABLE = 'VITRINE_API_KEY';

/** Options for an API key. `purpose` follows "API key" in the help. */
export function addApiKeyOptions(command: Command, purpose: string): Command {
  return command
    .option(
      '--api-key <key>',
      `API key ${purpose} (or ${VARIABLE}); other users of this machine can see it as an argument`,
    )
    .option('--api-key-file <path>', `file that holds it (or ${VARIABLE}_FILE)`);
}

/** The key from the flag, else its file, else the environment; null if there is none. Throws `ConfigError`. */
export function apiKeyOf({ environment }: Cli, options: ApiKeyOptions): string | null {
  const { apiKey, apiKeyFile } = options;
  if (apiKey !== undefined) return apiKey;
  if (apiKeyFile !== undefined) return readSecret('--api-key-file', apiKeyFile);
  const path = environment[`${VARIABLE}_FILE`];
  return (
    environment[VARIABLE] ?? (path === undefined ? null : readSecret(`${VARIABLE}_FILE`, path))
  );
}
