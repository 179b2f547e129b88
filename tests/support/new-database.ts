import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/storage/engine/database.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Of the template and of databases that nobody needs after they are closed. */
let shared: string | null = null;
let template: Promise<string> | null = null;
let count = 0;

/**
 * Writes an empty database to `path`: a copy of one that `openDatabase` made. Running every
 * migration would take most of the time that a test needs to start its service.
 */
export async function copyNewDatabase(path: string): Promise<void> {
  template ??= makeTemplate();
  copyFileSync(await template, path);
}

/** An empty database whose files are deleted when it is closed. */
export async function openNewDatabase(): Promise<Database> {
  const path = join(sharedFolder(), `${++count}.db`);
  await copyNewDatabase(path);
  const db = await openDatabase(path, { create: false });
  return {
    ...db,
    async close() {
      await db.close();
      rmSync(path);
    },
  };
}

async function makeTemplate(): Promise<string> {
  const path = join(sharedFolder(), 'template.db');
  await (await openDatabase(path, { create: true })).close();
  return path;
}

function sharedFolder(): string {
  if (shared === null) {
    const folder = temporaryFolder();
    process.once('exit', () => folder.remove());
    shared = folder.path;
  }
  return shared;
}
