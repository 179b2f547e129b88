import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;
const BUILT = join(ROOT, 'dist', 'vitrine');
const NAMED = process.env['VITRINE_TEST_BINARY'];

/** The binary to test: the one that `VITRINE_TEST_BINARY` names, or one newer than the source; else null. */
export const BINARY: string | null =
  NAMED !== undefined ? resolve(NAMED) : isFresh() ? BUILT : null;

/** Why there is none. */
export const NO_BINARY = existsSync(BUILT)
  ? 'dist/vitrine is older than the source: "bun run build"'
  : 'there is no dist/vitrine: "bun run build"';

function isFresh(): boolean {
  if (!existsSync(BUILT)) return false;
  const builtMs = statSync(BUILT).mtimeMs;
  const source = join(ROOT, 'src');
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return paths.every((path) => statSync(join(source, path)).mtimeMs < builtMs);
}
