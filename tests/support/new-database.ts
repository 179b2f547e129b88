import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/storage/engine/database.ts';
import { temporaryFolder } from './temporary-folder.ts';

let template: Promise<string> | null = null;

/**
 * Writes an empty database to `path`: a copy of one that `openDatabase` made. Running every
 * migration would take most of the time that a test needs to start its service.
 */
export async function copyNewDatabase(path: string): Promise<void> {
  template ??= makeTemplate();
  copyFileSync(await template, path);
}

async function makeTemplate(): Promise<string> {
  const folder = temporaryFolder();
  process.once('exit', () => folder.remove());
  const path = join(folder.path, 'template.db');
  await (await openDatabase(path, { create: true })).close();
  return path;
}
