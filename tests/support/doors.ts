/*
 * The ways out of the process, and the files that may use them. tests/tidy.test.ts enforces this list; an
 * exception that is no longer needed fails too.
 */

interface Door {
  readonly name: string;
  readonly pattern: RegExp;
  /** Files that may use it, with the reason. */
  readonly allowed: Readonly<Record<string, string>>;
}

const RUNS_ELSEWHERE = 'source of a worker that runs at the edge';

/** One door to each part of the outside world, so that tests control it and only commands print to stdout. */
export const DOORS: readonly Door[] = [
  {
    name: 'the process: environment, arguments, exit, streams, signals',
    pattern: /\bprocess\.(?!(?:platform|arch|dlopen)\b)\w+/,
    allowed: {
      'src/main.ts': 'reads and writes them for all other files',
      'src/platform.ts': 'log lines go to stderr',
    },
  },
  {
    name: 'clock and timers',
    pattern:
      /\bDate\.now\b|\bperformance\.now\b|\bset(?:Timeout|Interval|Immediate)\b|\bnew Date\(\)|\bAbortSignal\.timeout\b|\bnode:timers\b/,
    allowed: {
      'src/platform.ts': 'provides the clock to all other files',
      'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
      'src/cli/eval/eval-askers.ts': 'gives up on a request',
      'src/cli/ready.ts': 'gives up on a service that does not answer',
      'src/cli/mcp.ts': 'gives up on a server that does not answer',
      'src/models/local-embedder-worker.ts': 'lets messages in between two texts',
      'src/models/remote-embedder.ts': 'gives up on a request',
      'src/web/download.ts': 'gives up on a request',
      'src/web/download-budget.ts': 'gives up on a download',
      'src/models/chat-endpoint.ts': 'gives up on a request',
      'src/storage/engine/server-client.ts': 'gives up on a request',
    },
  },
  {
    name: 'randomness',
    pattern: /\bMath\.random\b|\brandom(?:UUID|Int|Fill\w*)\b|\bimport\b[^;]*\brandomBytes\b/,
    allowed: {
      'src/platform.ts': 'makes ids and secrets for all other files',
      'src/models/unpack.ts': 'names a temporary file',
      'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
    },
  },
  {
    name: 'Bun and Deno themselves',
    pattern: /\bBun\.|\bDeno\b|'bun(?::|')/,
    allowed: {
      'src/platform.ts': 'opens a listener with the runtime’s own server',
      'src/garbage.ts': 'collects garbage before it is as much as the memory in use',
      'src/domain/agent.ts': 'knows the user agents of both',
    },
  },
  {
    name: 'the console',
    pattern: /\bconsole\./,
    allowed: { 'src/assets/edge-worker.ts': RUNS_ELSEWHERE },
  },
];
