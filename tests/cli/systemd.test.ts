import { afterAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vitrine, vitrineJson } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

interface Unit {
  readonly name: string;
  readonly text: string;
}

function unitsWith(...flags: readonly string[]): Promise<Unit[]> {
  return vitrineJson<Unit[]>('systemd', ...flags, '--data', '/var/lib/vitrine');
}

test('systemd finds no fault in the units', async () => {
  const folder = join(temporary.path, 'units');
  mkdirSync(folder);
  const units = await unitsWith('--program', process.execPath, '--user', 'root');
  for (const { name, text } of units) writeFileSync(join(folder, name), text);
  const names = units.map(({ name }) => join(folder, name));
  try {
    execFileSync('systemd-analyze', ['--version']);
  } catch {
    process.stderr.write('skipped: systemd-analyze verify (there is none)\n');
    return;
  }
  const report = execFileSync(
    'sh',
    ['-c', `systemd-analyze verify ${names.join(' ')} 2>&1 || true`],
    {
      encoding: 'utf8',
    },
  );
  // Units of the machine's own may have faults; ours have none.
  expect(report.split('\n').filter((line) => line.includes('vitrine'))).toEqual([]);
});

test('units write where they have to, run as their own user, and leave the JIT alone', async () => {
  const units = await unitsWith('--backups', '/srv/backups', '--keep', '3');
  const text = (name: string) => units.find((unit) => unit.name === name)!.text;
  expect(text('vitrine.service')).toContain(
    'ExecStart=/usr/local/bin/vitrine serve --data /var/lib/vitrine\n',
  );
  expect(text('vitrine-backup.service')).toContain(
    'ExecStart=/usr/local/bin/vitrine backup /srv/backups/ --keep 3 --data /var/lib/vitrine\n',
  );
  expect(text('vitrine-backup.service')).toContain(
    'ReadWritePaths=/var/lib/vitrine /srv/backups\n',
  );
  for (const unit of units) expect(unit.text).not.toContain('MemoryDenyWriteExecute');
  const inHome = await vitrineJson<Unit[]>('systemd', '--data', join('/home', 'shop', 'data'));
  expect(inHome[0]!.text).toContain('ProtectHome=read-only\n');
});

test('the service’s memory is bounded, with room for the catalogues that it may keep in memory', async () => {
  const memoryMax = async (...flags: string[]) => {
    const [unit] = await unitsWith('--program', '/usr/local/bin/vitrine', ...flags);
    return /^MemoryMax=(\S+)$/m.exec(unit!.text)?.[1];
  };
  expect(await memoryMax()).toBe('75%');
  const environment = { VITRINE_INDEX_MEMORY_MB: '2000' };
  const { stdout } = await vitrine(['systemd', '--data', '/var/lib/vitrine'], { environment });
  expect(stdout).toContain('\nMemoryMax=5624M\n');
});

describe('refuses values that systemd would interpret (64)', () => {
  test.each([
    ['--program', 'vitrine'],
    ['--program', '/opt/my programs/vitrine'],
    ['--program', '/opt/%h'],
    ['--backups', '/srv/a;b'],
    ['--user', 'root;'],
    ['--keep', '0'],
    ['--keep', '10000'],
  ])('%s %s', async (flag, value) => {
    expect((await vitrine(['systemd', flag, value, '--data', '/var/lib/vitrine'])).exitCode).toBe(
      64,
    );
  });
});
