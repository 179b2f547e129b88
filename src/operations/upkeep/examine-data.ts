import { isActive } from '../../domain/api-key.ts';
import { type Check, type CheckResult, fail, ok, warn } from '../../domain/check-result.ts';
import { AppError } from '../../domain/errors.ts';
import { findCreatedKeys, findLastEventAt, findLastWriteAt } from '../../storage/audit-log.ts';
import { findLatestImport } from '../../storage/catalog/imports.ts';
import { compareDocuments, countItems } from '../../storage/catalog/items.ts';
import { findQuarantined } from '../../storage/catalog/quarantine.ts';
import { countVectorsByModel } from '../../storage/catalog/vectors.ts';
import { readSchemaVersion } from '../../storage/engine/files.ts';
import { MIGRATIONS } from '../../storage/engine/migrations.ts';
import type { ServerAddress } from '../../storage/engine/server-client.ts';
import { findServerSchema, syncsCommits } from '../../storage/engine/server-database.ts';
import { SILENT } from '../define-operation.ts';
import { catalogStats } from '../imports/catalog-stats.ts';
import { showLandingPages } from '../landing/operate-landing-pages.ts';
import { findMissingAddresses } from '../offerings/missing-address.ts';
import { findKeptTime } from '../retention-clock.ts';
import { formerlyAnswered } from '../search/replace-model.ts';
import { lookAtPublicAssistants, lookAtToolSets } from './examine-assistants.ts';
import { findDamaged } from './examine-records.ts';
import type { UpkeepServices } from './upkeep-services.ts';

const DAY_MS = 86_400_000;
const KEY_EXPIRES_SOON_MS = 14 * DAY_MS;
const KEY_OLD_MS = 365 * DAY_MS;
const BACKUP_OLD_MS = 7 * DAY_MS;
const PAGE_OLD_MS = 30 * DAY_MS;

/** A running service rebuilds a stale page within seconds. */
const STALE_MS = 3_600_000;

const IMPORT_OLD_MS = 30 * DAY_MS;

/** Calls sqld's admin API, on the port of `--admin-listen-addr`. */
const DURABILITY_COMMAND = `curl -X POST http://127.0.0.1:9090/v1/namespaces/default/config -H 'content-type: application/json' -d '{"block_reads":false,"block_writes":false,"durability_mode":"strong"}'`;

/** A machine with an empty clock battery starts decades in the past. No vitrine data predate this. */
const CLOCK_MIN_MS = Date.UTC(2026, 0, 1);

/** `doctor` reports deletions that lag behind the clock by more than this. */
const CLOCK_DOUBT_MS = 2 * DAY_MS;

/** A machine's clock may differ by this much after a restart. */
const CLOCK_SLACK_MS = 5000;

/** The checks of the data. A new part adds a line. */
export const DATA_CHECKS: readonly Check<UpkeepServices>[] = [
  { name: 'records', look: lookAtRecords },
  { name: 'durability', look: lookAtDurability },
  { name: 'documents', look: lookAtDocuments },
  { name: 'memory', look: lookAtMemory },
  { name: 'model', look: lookAtModel },
  { name: 'meaning', look: lookAtVectors },
  { name: 'keys', look: lookAtKeys },
  { name: 'clock', look: lookAtClock },
  { name: 'last import', look: lookAtImports },
  { name: 'links', look: lookAtLinks },
  { name: 'landing page', look: lookAtLandingPages },
  { name: 'public assistants', look: lookAtPublicAssistants },
  { name: 'tool sets', look: lookAtToolSets },
  { name: 'last backup', look: lookAtBackup },
];

/** Examines a copy of the database before anything opens it. Throws `damaged` if it is not a database. */
export async function lookAtSchema(copy: string): Promise<CheckResult> {
  const version = await readSchemaVersion(copy);
  if (version === null) throw new AppError('damaged', 'The database is too short to be one.');
  return judgeSchema(version);
}

/** Examines the database on a libSQL server before anything opens it. Throws what opening it would. */
export async function lookAtServerSchema(server: ServerAddress): Promise<CheckResult> {
  const version = await findServerSchema(server);
  return version === 0 ? fail('there is none yet', 'run "vitrine init"') : judgeSchema(version);
}

function judgeSchema(version: number): CheckResult {
  const own = MIGRATIONS.length;
  if (version > own)
    return fail(
      `version ${version}, this vitrine knows ${own}`,
      'install the vitrine that wrote it',
    );
  if (version < own) {
    const advice = 'nothing: the next start updates it, and backs up a database file first';
    return warn(`version ${version}, this vitrine writes ${own}`, advice);
  }
  return ok(`version ${own}, current`);
}

async function lookAtRecords(services: UpkeepServices) {
  const { db, directory } = services;
  if (db.instance !== null) return ok('the libSQL server is responsible for their bytes');
  for await (const { kind, record, reason, organizationKey } of findDamaged(services)) {
    return fail(
      `${kind} ${record} of ${directory.organization(organizationKey).slug} is damaged: ${reason}`,
      'start the service, which moves it into quarantine, then import the catalogue again or restore a backup',
    );
  }
  const { count, latest } = await findQuarantined(db);
  if (latest === null)
    return ok(
      'each item, its documents and their vectors are what was stored, and each hit is readable',
    );
  const { kind, record, reason, organizationKey } = latest;
  return warn(
    `${count} in quarantine, the latest ${kind} ${record} of ${directory.organization(organizationKey).slug}: ${reason}`,
    'import the catalogue again, and check the disk and the memory',
  );
}

async function lookAtDurability({ db }: UpkeepServices) {
  if (db.instance === null) return ok('every commit is on disk before it is answered');
  return (await syncsCommits(db))
    ? ok('the server has every commit on disk before it answers')
    : warn(
        'the server answers before a commit is on disk: a power cut there loses the latest commits',
        `set its durability_mode to strong: ${DURABILITY_COMMAND}`,
      );
}

async function lookAtDocuments({ db, directory }: UpkeepServices) {
  let documents = 0;
  for (const { key, slug } of directory.organizations()) {
    const { withoutItem, withoutDocument, withoutId, total } = await compareDocuments(db, key);
    documents += total;
    if (withoutItem + withoutDocument + withoutId > 0) {
      return fail(
        `of ${slug}, ${withoutItem} documents’ items, ${withoutDocument} items’ documents and ${withoutId} items’ ids are missing`,
        'restore a backup, or import the catalogue into a new data folder',
      );
    }
  }
  return ok(`each of ${documents} documents has its item, and each item its documents and its id`);
}

async function lookAtMemory({ db, directory, indexes }: UpkeepServices) {
  const advice = 'raise index_memory_mb, or give the machine or the control group more memory';
  let total = 0;
  for (const { key, slug } of directory.organizations()) {
    let items = 0;
    for (const shop of directory.shopsOf(key)) {
      const { offerings, contexts } = await countItems(db, shop);
      items += offerings + contexts;
    }
    total += items;
    const shortage = indexes.shortageFor(items);
    if (shortage !== null) {
      const { of, neededMb, allowedMb } = shortage;
      return of === 'build'
        ? fail(
            `the catalogue of ${slug} cannot be searched: to build its index takes about ${neededMb} MB, and there are ${allowedMb}`,
            'give the machine or the control group more memory',
          )
        : warn(
            `the index of ${slug} takes about ${neededMb} MB, of which index_memory_mb allows ${allowedMb}: no other catalogue stays in memory beside it`,
            advice,
          );
    }
  }
  const shortage = indexes.budgetShortageFor(total);
  return shortage === null
    ? ok(`the indexes of all ${total} offerings and contexts fit into memory at once`)
    : warn(
        `all indexes together take about ${shortage.neededMb} MB, of which index_memory_mb allows ${shortage.allowedMb}: those searched least recently make way, and a search for one of them waits until it is loaded: milliseconds for a thousand offerings, half a second for a million`,
        advice,
      );
}

async function lookAtModel({ embeddings }: UpkeepServices) {
  if (!embeddings.isOn)
    return warn(
      'none: words alone are searched',
      'set embedder to "local", "folder" or "endpoint"',
    );
  const { state } = await embeddings.load();
  if (state !== 'ready')
    return fail(
      'it does not load',
      'run "vitrine model check", which says why; until then words alone are searched',
    );
  return ok(`${embeddings.model!.tag} loads and answers`);
}

async function lookAtVectors(services: UpkeepServices) {
  const { db, embeddings } = services;
  if (!embeddings.isOn || embeddings.model === null) return ok('no model, no vectors');
  const vectors = await countVectorsByModel(db);
  const others = [...vectors].filter(([tag]) => tag !== embeddings.model!.tag);
  if (others.length > 0) {
    const [tag, count] = others[0]!;
    const [organization] = formerlyAnswered(services);
    const answers =
      organization !== undefined && (await embeddings.canRead(organization.vectorModelKey!));
    return warn(
      answers
        ? `${count} vectors were made by ${tag} and answer until all are replaced`
        : `${count} vectors were made by ${tag} and answer no question`,
      'leave the service running: it replaces them',
    );
  }
  let offerings = 0;
  let embedded = 0;
  for (const { slug } of services.directory.organizations()) {
    const stats = await catalogStats.run(services, { organization: slug }, SILENT);
    offerings += stats.offerings + stats.contexts;
    embedded += stats.embedded;
  }
  const share = `${embedded} of ${offerings} items can be found by meaning`;
  return embedded === offerings
    ? ok(share)
    : warn(share, 'leave the service running: it embeds the rest');
}

async function lookAtKeys({ db, directory, platform }: UpkeepServices) {
  const now = platform.now();
  const changed = await findChangedKey({ db, directory });
  if (changed !== undefined)
    return fail(
      `${changed.id} no longer has the organization and scopes that it was created with`,
      'its row is damaged: revoke it and create another one, or restore a backup',
    );
  const keys = directory.apiKeys().filter((key) => isActive(key, now));
  if (keys.length === 0)
    return fail('none is active: every request is refused', 'run "vitrine key create"');
  // A rotated key is meant to expire.
  const lasting = keys.filter(({ rotatedAt }) => rotatedAt === null);
  const ending = lasting.find(
    ({ expiresAt }) => expiresAt !== null && expiresAt < now + KEY_EXPIRES_SOON_MS,
  );
  if (ending !== undefined)
    return warn(
      `${ending.id} ends on ${dayOf(ending.expiresAt!)}`,
      `run "vitrine key rotate ${ending.id}"`,
    );
  const old = lasting.find(({ createdAt }) => createdAt < now - KEY_OLD_MS);
  if (old !== undefined)
    return warn(
      `${old.id} was created on ${dayOf(old.createdAt)}`,
      `run "vitrine key rotate ${old.id}"`,
    );
  return ok(`${keys.length} active, none old, none about to expire`);
}

/** A key whose row differs from the audit log: its rights never change, so the row is damaged. */
async function findChangedKey({ db, directory }: Pick<UpkeepServices, 'db' | 'directory'>) {
  const created = new Map((await findCreatedKeys(db)).map((key) => [key.id, key]));
  return directory.apiKeys().find(({ id, organizationKey, scopes }) => {
    const origin = created.get(id);
    if (origin === undefined) return false;
    const { organizationId } = origin;
    const isOwn = directory.findOrganization(organizationId)?.key === organizationKey;
    return !isOwn || (origin.scopes ?? JSON.stringify(scopes)) !== JSON.stringify(scopes);
  });
}

async function lookAtClock({ db, platform }: UpkeepServices) {
  const now = platform.now();
  if (now < CLOCK_MIN_MS)
    return fail(`it says ${dayOf(now)}`, 'set the clock, and keep it right with NTP');
  const lastWriteAt = await findLastWriteAt(db);
  if (lastWriteAt !== null && lastWriteAt > now + CLOCK_SLACK_MS) {
    return fail(
      `it is before the last write, at ${new Date(lastWriteAt).toISOString()}`,
      'set the clock: keys and records depend on it',
    );
  }
  const retentionMs = await findKeptTime(db);
  if (retentionMs !== null && retentionMs < now - CLOCK_DOUBT_MS) {
    return warn(
      `deletions still go by ${new Date(retentionMs).toISOString()}: the service was stopped, or the clock was set forward`,
      'nothing if the clock is right: they catch up by a day every day; otherwise set it',
    );
  }
  return ok(new Date(now).toISOString());
}

const ENDS = { failed: 'failed', interrupted: 'was interrupted' } as const;

async function lookAtImports({ db, directory, platform }: UpkeepServices) {
  let latest = 0;
  for (const organization of directory.organizations()) {
    for (const shop of directory.shopsOf(organization.key)) {
      const place = `${organization.slug}/${shop.handle}`;
      const last = await findLatestImport(db, shop.key);
      if (last === null) return warn(`${place} has none`, 'run "vitrine catalog import FILE"');
      if (last.state === 'failed' || last.state === 'interrupted')
        return warn(`that of ${place} ${ENDS[last.state]}: ${last.source}`, 'import it again');
      if (platform.now() - last.startedAt > IMPORT_OLD_MS)
        return warn(
          `that of ${place} was on ${dayOf(last.startedAt)}`,
          'import the catalogue again',
        );
      latest = Math.max(latest, last.startedAt);
    }
  }
  return ok(latest === 0 ? 'there are no shops' : new Date(latest).toISOString());
}

async function lookAtLinks(services: UpkeepServices) {
  const { directory } = services;
  let offerings = 0;
  for (const { key, slug } of directory.organizations()) {
    for (const shop of directory.shopsOf(key)) {
      const { total, missing } = await findMissingAddresses(services, shop);
      offerings += total;
      if (missing === null) continue;
      const { count, example, command } = missing;
      return warn(
        `${count} of ${total} offerings of ${slug}/${shop.handle} have no address to link to, such as ${example}`,
        `run ${command}`,
      );
    }
  }
  return ok(`assistants have a link to each of ${offerings} offerings`);
}

async function lookAtLandingPages(services: UpkeepServices) {
  const { pages } = await showLandingPages.run(services, { withPage: false }, SILENT);
  const now = services.platform.now();
  for (const { organization, state, staleSince, builtAt, lastError } of pages) {
    if (state === 'failing')
      return fail(
        `that of ${organization} fails: ${lastError}`,
        'run "vitrine landing regenerate"',
      );
    if (staleSince !== null && now - Date.parse(staleSince) > STALE_MS)
      return warn(
        `that of ${organization} is stale since ${staleSince}`,
        'start the service: it rebuilds it',
      );
    if (builtAt !== null && now - Date.parse(builtAt) > PAGE_OLD_MS)
      return warn(
        `that of ${organization} was built at ${builtAt}`,
        'run "vitrine landing regenerate"',
      );
  }
  return ok(
    `${pages.filter(({ builtAt }) => builtAt !== null).length} of ${pages.length} are built, none is old`,
  );
}

async function lookAtBackup({ db, platform }: UpkeepServices) {
  if (db.instance !== null)
    return ok('the libSQL server manages its own backups: vitrine cannot see them');
  const at = await findLastEventAt(db, 'backup.written');
  if (at === null)
    return warn('there is none', 'run "vitrine backup FILE", or "vitrine systemd" for a timer');
  const when = new Date(at).toISOString();
  return platform.now() - at > BACKUP_OLD_MS
    ? warn(`it was made at ${when}`, 'run "vitrine backup FILE", or "vitrine systemd" for a timer')
    : ok(when);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
