import { afterAll, beforeAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describeFailure } from '../../src/cli/command/failure.ts';
import { vitrine } from '../support/command-line.ts';
import { PROGRAM_COMMAND } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Nobody's: nothing is denied to root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** The command as a user who owns none of the files. */
function asNobody(...args: string[]) {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };
  const [program, ...first] = PROGRAM_COMMAND;
  const { status, stderr } = spawnSync(program!, [...first, ...args], {
    ...NOBODY,
    env: environment,
    encoding: 'utf8',
  });
  return { status, stderr };
}

const canChangeUser = process.getuid?.() === 0 && asNobody('--version').status === 0;
if (!canChangeUser)
  console.log('skipped: commands without permission (only root can run them as somebody else)');

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  chmodSync(folder.path, 0o755);
  await vitrine(['init', '--org', 'Acme', '--data', at('private')]);
  await vitrine(['init', '--org', 'Acme', '--data', at('open')]);
  chmodSync(at('open'), 0o755);
  writeFileSync(at('feed.csv'), 'id,title,price\na,A,1\n', { mode: 0o600 });
  mkdirSync(at('texts'));
  writeFileSync(join(at('texts'), 'returns.md'), '# Returns', { mode: 0o600 });
});
afterAll(() => folder.remove());

test
  .skipIf(!canChangeUser)
  .each([
    'serve --data private',
    'org list --data private',
    'catalog stats --data open',
    'init --org X --data new',
    'catalog validate feed.csv',
    'catalog validate texts',
  ])('%s without permission: one line and exit code 77', (line) => {
  const args = line.replace(/private|open|new|texts|feed\.csv/, at).split(' ');
  const { status, stderr } = asNobody(...args);
  expect(stderr).toMatch(/^vitrine: Permission denied: \/.+\. Run the command as the user .+\.\n$/);
  expect(status).toBe(77);
});

test.skipIf(!canChangeUser)(
  'a running service that one may not ask: one line and exit code 77',
  async () => {
    const server: Server = createServer().listen(join(at('open'), 'vitrine.sock'));
    await new Promise((listening) => server.once('listening', listening));
    chmodSync(join(at('open'), 'vitrine.sock'), 0o600);
    const { status, stderr } = asNobody('org', 'list', '--data', at('open'));
    expect(stderr).toMatch(/^vitrine: Permission denied.*\n$/);
    expect(status).toBe(77);
    server.close();
  },
);

test('a denied permission gives one line with the path, and exit code 77', () => {
  for (const code of ['EACCES', 'EPERM', 'EROFS']) {
    const error = Object.assign(new Error(`${code}: denied`), { code, path: '/srv/vitrine' });
    expect(describeFailure(error)).toEqual({
      message: 'Permission denied: /srv/vitrine. Run the command as the user who owns the files.',
      exitCode: 77,
    });
  }
});

test('an address that one may not listen on gives one line that says what to choose', () => {
  const listening = (code: string) =>
    describeFailure(Object.assign(new Error(code), { code, syscall: 'listen' }));
  expect(listening('EACCES')).toEqual({
    message:
      'Listening on that address is not permitted. Ports below 1024 need a privilege, and a host name must be one of this machine: choose another with --listen or --ops-listen.',
    exitCode: 77,
  });
  expect(listening('EADDRNOTAVAIL')).toEqual({
    message:
      'This machine does not have that address: choose another with --listen or --ops-listen.',
    exitCode: 69,
  });
});

test.each([
  'init --org X --data feed.csv',
  'serve --data feed.csv',
  'search mug --data feed.csv',
  'backup feed.csv/x.db --data open',
])(
  '%s with a file in place of a folder: one line that names it, and exit code 73',
  async (line) => {
    const args = line.replace(/open|feed\.csv/g, at).split(' ');
    expect(await vitrine(args)).toMatchObject({
      stderr: `vitrine: ${at('feed.csv')} is a file, not a folder: name a folder instead.\n`,
      exitCode: 73,
    });
  },
);
