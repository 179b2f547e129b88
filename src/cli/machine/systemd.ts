import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { type Cli, type CommonOptions, configOf, printResult } from '../command/cli.ts';
import { wholeNumber } from '../command/numbers.ts';

interface SystemdOptions extends CommonOptions {
  readonly program: string;
  readonly user: string;
  readonly backups: string;
  readonly keep: number;
}

/** A file for `/etc/systemd/system`. */
interface Unit {
  readonly name: string;
  readonly text: string;
}

export function systemdCommand(cli: Cli): Command {
  return new Command('systemd')
    .description('print systemd units: the service, and timers for backups and the landing page')
    .option('--program <path>', 'path of the binary', parsePath, '/usr/local/bin/vitrine')
    .option('--user <name>', 'user it runs as', parseUser, 'vitrine')
    .option('--backups <folder>', 'folder for backups', parsePath, '/var/backups/vitrine')
    .option('--keep <count>', 'number of backups to keep', wholeNumber(1, 9999), 14)
    .addHelpText(
      'after',
      `
Put settings in vitrine.toml in the data folder, or in /etc/vitrine.env.

Example:
  vitrine systemd --data /var/lib/vitrine`,
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<SystemdOptions>();
      const { dataFolder, indexMemoryMb } = configOf(cli, options);
      const data = parsePath(resolve(dataFolder));
      const units = unitsOf({ ...options, data, indexMemoryMb });
      printResult(cli, options, units, (all) =>
        [INTRODUCTION, ...all.map(({ name, text }) => `# ${PLACE}/${name}\n${text}`)].join('\n'),
      );
    });
}

const PLACE = '/etc/systemd/system';

const INTRODUCTION = `# Save each part to the file named in its first line, then:
#   systemctl daemon-reload && systemctl enable --now vitrine.service vitrine-backup.timer vitrine-regenerate.timer
`;

interface UnitOptions extends SystemdOptions {
  readonly data: string;
  readonly indexMemoryMb: number | 'auto';
}

/**
 * Memory of the service besides catalogues, in MB, with room to spare: some 300 for the runtime and
 * the model, and at most 64 of request bodies, which decoding and parsing multiply by up to six.
 */
const SERVICE_MEMORY_MB = 1024;

/** What systemd runs, and when. Add regular work here. */
function unitsOf(options: UnitOptions): Unit[] {
  const { program, backups, keep, data } = options;
  return [
    { name: 'vitrine.service', text: service(options) },
    ...timed(options, {
      job: 'backup',
      description: 'Back up vitrine',
      command: `${program} backup ${backups}/ --keep ${keep} --data ${data}`,
      when: '*-*-* 03:15:00',
      writes: [data, backups],
    }),
    ...timed(options, {
      job: 'regenerate',
      description: 'Rebuild vitrine’s landing page',
      command: `${program} landing regenerate --data ${data}`,
      when: '*-*-* 04:15:00',
      writes: [data],
    }),
  ];
}

function service({ program, user, data, indexMemoryMb }: UnitOptions): string {
  // While a catalogue is being replaced, memory holds both versions, and what building one takes. With
  // "auto" the service takes its share of what the unit leaves it.
  const memoryMax =
    indexMemoryMb === 'auto' ? '75%' : `${SERVICE_MEMORY_MB + Math.ceil(2.3 * indexMemoryMb)}M`;
  return `[Unit]
Description=vitrine, a product catalogue for assistants and programs
Documentation=file:${program}
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=${program} serve --data ${data}
EnvironmentFile=-/etc/vitrine.env
Restart=on-failure
# Wrong configuration, damaged database: starting again does not mend them.
RestartPreventExitStatus=64 74 78
TimeoutStopSec=15
LimitNOFILE=65536
MemoryMax=${memoryMax}
${hardening(user, [data])}

[Install]
WantedBy=multi-user.target
`;
}

interface Job {
  readonly job: string;
  readonly description: string;
  readonly command: string;
  /** A systemd calendar expression. */
  readonly when: string;
  /** Folders it writes to. */
  readonly writes: readonly string[];
}

function timed({ user }: UnitOptions, { job, description, command, when, writes }: Job): Unit[] {
  return [
    {
      name: `vitrine-${job}.service`,
      text: `[Unit]
Description=${description}

[Service]
Type=oneshot
ExecStart=${command}
${hardening(user, writes)}
`,
    },
    {
      name: `vitrine-${job}.timer`,
      text: `[Unit]
Description=${description}, regularly

[Timer]
OnCalendar=${when}
RandomizedDelaySec=15min
Persistent=true

[Install]
WantedBy=timers.target
`,
    },
  ];
}

/**
 * No MemoryDenyWriteExecute: it disables the JavaScript compiler and makes the service several
 * times slower. The binary unpacks its native libraries into the cache folder, because the temp
 * folder may be mounted noexec. Home folders are inaccessible, unless the data is in one.
 */
function hardening(user: string, writes: readonly string[]): string {
  return `User=${user}
Group=${user}
UMask=0077
ReadWritePaths=${writes.join(' ')}
CacheDirectory=vitrine
CacheDirectoryMode=0700
Environment=TMPDIR=/var/cache/vitrine
ProtectSystem=strict
ProtectHome=${writes.some(isInHome) ? 'read-only' : 'true'}
PrivateTmp=true
PrivateDevices=true
ProtectClock=true
ProtectControlGroups=true
ProtectHostname=true
ProtectKernelLogs=true
ProtectKernelModules=true
ProtectKernelTunables=true
ProtectProc=invisible
NoNewPrivileges=true
CapabilityBoundingSet=
AmbientCapabilities=
LockPersonality=true
RemoveIPC=true
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=true
RestrictRealtime=true
RestrictSUIDSGID=true
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM`;
}

function isInHome(folder: string): boolean {
  return /^\/(?:home|root|run\/user)\//.test(folder);
}

/** A path as written in a unit, without characters that systemd splits at or expands. */
function parsePath(text: string): string {
  if (!/^\/[^\s%"'\\$;]*$/.test(text))
    throw new InvalidArgumentError('It must be an absolute path without blanks, quotes, % or $.');
  return text;
}

function parseUser(text: string): string {
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(text))
    throw new InvalidArgumentError('It must be a user name.');
  return text;
}
