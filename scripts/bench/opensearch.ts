import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SearchServer } from './search-server.ts';

const INDEX = 'offerings';
const LIMIT = 20;

/** The user `nobody`. */
const NOBODY = 65_534;

/** Words of English with their stems, as vitrine and the engines alone have them. */
const SETTINGS = {
  settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: -1 },
  mappings: {
    dynamic: false,
    properties: {
      name: { type: 'text', analyzer: 'english' },
      description: { type: 'text', analyzer: 'english' },
    },
  },
};

/** As it is shipped: one process, a heap of 1 GB. It refuses to run as root. */
export const OPEN_SEARCH: SearchServer = {
  name: 'OpenSearch 2.19.6',
  folder: 'opensearch',
  tools: ['java', 'mvn', ...(isRoot() ? ['setpriv'] : [])],
  build: ['mvn', '--quiet', '-B', 'generate-resources'],

  command({ home, work, port, otherPort }) {
    const folders = ['config', 'data', 'logs'].map((name) => join(work, name));
    const [config, data, logs] = folders as [string, string, string];
    if (!existsSync(config)) cpSync(join(home, 'config'), config, { recursive: true });
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    // The log of the garbage collector is written beside the programs.
    if (isRoot()) for (const folder of [work, join(home, 'logs')]) giveToNobody(folder);
    const settings = [
      'discovery.type=single-node',
      'network.host=127.0.0.1',
      `http.port=${port}`,
      `transport.port=${otherPort}`,
      `path.data=${data}`,
      `path.logs=${logs}`,
    ];
    const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
    return {
      command: [
        ...(isRoot() ? ['setpriv', ...user] : []),
        join(home, 'bin', 'opensearch'),
        ...settings.map((setting) => `-E${setting}`),
      ],
      env: {
        PATH: process.env['PATH']!,
        HOME: work,
        OPENSEARCH_PATH_CONF: config,
        OPENSEARCH_JAVA_HOME: dirname(dirname(realpathSync(Bun.which('java')!))),
      },
    };
  },

  async create(origin) {
    await send(origin, 'PUT', `/${INDEX}`, JSON.stringify(SETTINGS));
  },

  async add(origin, lines, first) {
    const rows = lines.map((line, at) => `{"index":{"_id":"${first + at}"}}\n${line}\n`);
    const answer = await send(origin, 'POST', `/${INDEX}/_bulk?filter_path=errors`, rows.join(''));
    if (answer.includes('true')) throw new Error('\nOpenSearch refuses rows.');
  },

  async publish(origin) {
    await send(origin, 'POST', `/${INDEX}/_flush`);
    await send(origin, 'POST', `/${INDEX}/_refresh`);
  },

  async settle(origin) {
    await send(origin, 'POST', `/${INDEX}/_forcemerge?max_num_segments=1&wait_for_completion=true`);
    await send(origin, 'POST', `/${INDEX}/_flush`);
    await send(origin, 'POST', `/${INDEX}/_refresh`);
  },

  request(question) {
    const fields = ['name^3', 'description'];
    const query = { multi_match: { query: question, fields, type: 'most_fields' } };
    const body = Buffer.from(JSON.stringify({ size: LIMIT, query }));
    const head = [
      `POST /${INDEX}/_search HTTP/1.1`,
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  },

  idsIn(body) {
    const { hits } = JSON.parse(body) as { hits: { hits: { _id: string }[] } };
    return hits.hits.map(({ _id }) => _id);
  },
};

async function send(origin: string, method: string, path: string, body?: string): Promise<string> {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      'content-type': path.includes('_bulk') ? 'application/x-ndjson' : 'application/json',
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`\n${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return text;
}

function giveToNobody(folder: string): void {
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(join(folder, name), NOBODY, NOBODY);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
