import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEPENDENCIES, ROOT } from './folders.ts';

/** Addons of other machines; what the lock file holds is checked there too. */
const FOREIGN = join(ROOT, 'build', 'foreign');

/**
 * The folder of an addon's package. An addon for another machine is installed apart, in the version
 * that the lock file names, so that nothing foreign comes into the project's own dependencies.
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
    throw new Error(`addons of other machines cannot be installed:\n${complaints.trim()}`);
}

async function version(folder: string): Promise<string> {
  return ((await Bun.file(join(folder, 'package.json')).json()) as { version: string }).version;
}
