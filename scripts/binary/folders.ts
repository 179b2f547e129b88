import { dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const DEPENDENCIES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/**
 * The name by which a module that the build generates at `from` imports the file `to`. Source maps
 * contain such modules, so an absolute path would make builds in different folders differ. A plugin
 * that resolves names of its own would not do either: Bun then ignores `with { type: 'file' }`.
 */
export function importName(from: string, to: string): string {
  const name = relative(dirname(from), to).replaceAll(sep, '/');
  return name.startsWith('.') ? name : `./${name}`;
}
