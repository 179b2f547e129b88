import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { type Config, dataFiles } from '../../config.ts';
import { AppError } from '../../domain/errors.ts';
import {
  backUpDatabase,
  recordBackup,
  removeOldBackups,
  stampOf,
} from '../../operations/upkeep/back-up-database.ts';
import type { DamageCounts } from '../../operations/upkeep/examine-records.ts';
import { onlyForFile, restoreDatabase } from '../../operations/upkeep/restore-database.ts';
import { type Cli, type CommonOptions, configOf, printResult } from '../command/cli.ts';
import { wholeNumber } from '../command/numbers.ts';
import { operate } from '../command/operator.ts';
import { copyDatabase } from './database-copy.ts';

/** Prefix of the file names of backups in a folder. */
const PREFIX = 'vitrine-';

interface BackupOptions extends CommonOptions {
  readonly force?: boolean;
  readonly keep?: number;
}

export function backupCommand(cli: Cli): Command {
  return new Command('backup')
    .argument('<file>', 'output file, or a folder in which the backup is named by its time')
    .description('make a verified copy of all data, whether the service runs or not')
    .option('--force', 'replace an existing file')
    .option(
      '--keep <count>',
      'remove all backups in the folder but the latest',
      wholeNumber(1, 10_000),
    )
    .addHelpText(
      'after',
      `
It also writes FILE.json, which describes the backup; "vitrine restore" needs both files.
While it works, it needs as much disk space as the database itself.

Example:
  vitrine backup backups/ --keep 7

Exit code: 0 done, 69 no room or the service stopped, 73 the file is there already, 74 the database is damaged.`,
    )
    .action(async (file: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<BackupOptions>();
      const made = await backUp(cli, configOf(cli, options), { file, options });
      printResult(cli, options, made, ({ file: path, manifest, damage, removed }) =>
        [
          `${path}: ${megabytes(manifest.bytes)}, ${sum(manifest.counts)} rows, verified.`,
          ...(damage === null ? [] : damageLines(damage)),
          ...removed.map((old) => `removed ${old}`),
        ].join('\n'),
      );
    });
}

async function backUp(
  cli: Cli,
  config: Config,
  { file, options }: { file: string; options: BackupOptions },
) {
  const isFolder = file.endsWith('/') || (existsSync(file) && statSync(file).isDirectory());
  if (options.keep !== undefined && !isFolder)
    throw new AppError('invalid_input', '--keep needs a folder, such as backups/.');
  const nowMs = cli.clock.now();
  const target = resolve(isFolder ? join(file, `${PREFIX}${stampOf(nowMs)}.db`) : file);
  const { manifest, damage } = await backUpDatabase({
    target,
    nowMs,
    force: options.force === true,
    copyDatabase: (copy) =>
      copyDatabase(config, copy, () =>
        cli.note('Waiting for another copy of the database to finish.\n'),
      ),
  });
  const { bytes, sha256 } = manifest;
  await operate(cli, options, recordBackup, { file: target, bytes, sha256 });
  const removed =
    options.keep === undefined
      ? []
      : await removeOldBackups(dirname(target), { prefix: PREFIX, keep: options.keep });
  return { file: target, manifest, damage, removed };
}

export function restoreCommand(cli: Cli): Command {
  return new Command('restore')
    .argument('<file>', 'backup file, with its manifest beside it')
    .description('replace the database with a backup; the old database is kept beside it')
    .addHelpText(
      'after',
      `
Stop the service first. A restore that is interrupted either never happened or is finished by the
next start.

Example:
  vitrine restore backups/vitrine-20260131T030000Z.db

Exit code: 0 done, 66 no such file or no manifest, 74 the backup is damaged, 75 a service is running,
78 the backup is of a newer vitrine.`,
    )
    .action(async (file: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { dataFolder, databaseUrl } = configOf(cli, options);
      if (databaseUrl !== null) throw onlyForFile();
      const { database, lock } = dataFiles(dataFolder);
      const nowMs = cli.clock.now();
      const restored = await restoreDatabase(resolve(file), { database, lock, nowMs });
      printResult(cli, options, restored, ({ manifest, replaced, damage }) =>
        [
          `Restored what ${file} held at ${manifest.createdAt}: ${sum(manifest.counts)} rows.`,
          ...damageLines(damage),
          ...(replaced === null ? [] : [`The previous database is now ${replaced}.`]),
        ].join('\n'),
      );
    });
}

function damageLines({ damaged, quarantined }: DamageCounts): string[] {
  if (damaged === 0 && quarantined === 0) return [];
  return [
    `Not everything in it is intact: ${damaged} damaged, ${quarantined} in quarantine. "vitrine doctor" names them.`,
  ];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
