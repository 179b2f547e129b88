import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEPENDENCIES, ROOT } from './folders.ts';

/** Addons for other platforms, also verified against the lock file. */
const FOREIGN = join(ROOT, 'build', 'foreign');

/**
 * The folder of an addon's package. An addon for another platform is installed separately, in the
 * version of the lock file, so that it does not become one of the project's dependencies.
 */
export async function addonPackage(name: string): Promise<string> {
  const own = join(DEPENDENCIES, name);
  if (existsSync(own)) return own;
  const foreign = join(FOREIGN, 'node_modules', name);
  if (
    !existsSync(foreign) ||
    (await version(foreign)) !== (await version(join(DEPENDENCIES, 'libsql')))
  ) {
    await installForeign();
  }
  if (!existsSync(foreign)) throw new Error(`${name} is not on the package registry`);
  return foreign;
}

async function installForeign(): Promise<void> {
  mkdirSync(FOREIGN, { recursive: true });
  for (const file of ['package.json', 'bun.lock'])
    copyFileSync(join(ROOT, file), join(FOREIGN, file));
  const options = ['--frozen-lockfile', '--production', '--ignore-scripts', '--cpu=*', '--os=*'];
  const install = Bun.spawn([process.execPath, 'install', ...options], {
    cwd: FOREIGN,
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const complaints = await new Response(install.stderr).text();
  if ((await install.exited) !== 0)
    throw new Error(`addons for other platforms cannot be installed:\n${complaints.trim()}`);
}

async function version(folder: string): Promise<string> {
  return ((await Bun.file(join(folder, 'package.json')).json()) as { version: string }).version;
}
