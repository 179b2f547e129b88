import { parseJson } from '../http/exchange/body.ts';
import { converse, type Line } from '../mcp/converse.ts';
import { runOperation } from '../operations/run-operation.ts';
import { jsonLine } from '../operator/json-lines.ts';
import { callOperator } from '../operator/operator-client.ts';
import { listenForOperators } from '../operator/operator-server.ts';
import { makeSocketPath, socketPath } from '../operator/socket-path.ts';
import { systemPlatform } from '../platform.ts';
import { openServices } from '../services.ts';
import { type Cli, type CommonOptions, configOf } from './command/cli.ts';
import { isListening } from './command/operator.ts';

/** Maximum length of a line in characters, as large as an HTTP body. */
const LINE_MAX = 4 * 1024 * 1024;

/**
 * Answers an assistant over stdio until it closes its input. Uses the service that runs on the data
 * folder; if none is running, becomes that service, so that other commands find one.
 */
export async function converseOverStdio(
  cli: Cli,
  options: CommonOptions,
  input: { organization?: string },
): Promise<void> {
  const config = configOf(cli, options);
  const exchange = {
    lines: jsonLines(readLines(cli.input())),
    emit: (event: unknown) => cli.print(String(event)),
  };
  const path = socketPath(config.dataFolder);
  if (await isListening(path)) {
    await callOperator(path, converse.name, input, exchange);
    return;
  }
  const platform = systemPlatform(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const services = await openServices({ config, platform, create: false });
  try {
    const operators = await listenForOperators(services, makeSocketPath(config.dataFolder));
    services.startWorkers();
    // Scripts call a tool at once, and the budget of a search is for a loaded model.
    await services.embeddings.load();
    await runOperation(services, converse, input, exchange);
    services.beginStop();
    operators.close();
  } finally {
    await services.close();
  }
}

/** Each line that is not blank, parsed like an HTTP body. */
async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!.slice(0, LINE_MAX + 1);
    for (const line of lines) if (line.trim() !== '') yield readLine(line);
  }
  if (rest.trim() !== '') yield readLine(rest);
}

/**
 * Yields each line as soon as it arrives, because an assistant waits for the answer before it sends
 * more.
 */
async function* jsonLines(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  for await (const line of lines) yield jsonLine(line);
}

function readLine(line: string): Line {
  if (line.length > LINE_MAX) return { unreadable: true };
  try {
    return { payload: parseJson(line) };
  } catch {
    return { unreadable: true };
  }
}
