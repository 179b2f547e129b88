import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, and a function that removes it with all it holds. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
