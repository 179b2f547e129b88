import { afterAll, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKeyView } from '../../src/operations/api-keys.ts';
import { vitrine, vitrineJson } from '../support/command-line.ts';
import { SOURCE_COMMAND, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const disk = join(temporary.path, 'disk');
mkdirSync(disk);

/** A disk of 3 MB; false where this user may not mount one. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'none', disk], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('skipped: a full disk (this user may not mount a small one)\n');
    return false;
  }
}

const isMounted = mount();
afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', disk]);
  temporary.remove();
});

test.skipIf(!isMounted)(
  'a full disk refuses writes with 503, keeps answering reads, says so at /readyz, and recovers by itself within 1 s',
  async () => {
    const folder = join(disk, 'data');
    const { apiKey } = await vitrineJson<{ apiKey: string }>(
      'init',
      '--org',
      'Acme',
      '--data',
      folder,
    );
    const [organization] = await vitrineJson<{ id: string }[]>('org', 'list', '--data', folder);
    const serving = await serve(SOURCE_COMMAND, ['--data', folder, '--embedder', 'off']);
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const hit = () =>
      fetch(`${serving.url}/rest/hits/`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          organization: organization!.id,
          eventDate: '2026-01-01T00:00:00Z',
          classification: 'search',
          userAgent: 'x'.repeat(500),
        }),
      });
    const search = () => fetch(`${serving.url}/rest/search/v2/?q=lamp`, { headers });
    const ready = () => fetch(`${serving.url}/readyz`);
    try {
      expect([(await hit()).status, (await ready()).status]).toEqual([201, 200]);
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize));
      let accepted = 0;
      let refused = await hit();
      for (; refused.status === 201 && accepted < 20_000; accepted++) refused = await hit();
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
      expect((await search()).status).toBe(200);
      const notReady = await ready();
      expect(notReady.status).toBe(503);
      expect(await notReady.json()).toMatchObject({ detail: 'The disk is full.' });
      expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
      rmSync(join(disk, 'ballast'));
      const freedMs = performance.now();
      while ((await hit()).status !== 201) await Bun.sleep(20);
      expect(performance.now() - freedMs).toBeLessThan(1000);
      while ((await ready()).status !== 200) await Bun.sleep(20);
      expect(performance.now() - freedMs).toBeLessThan(1500);
    } finally {
      expect(await serving.stop()).toBe(0);
    }
    expect(await vitrineJson<ApiKeyView[]>('key', 'list', '--data', folder)).toHaveLength(1);
    expect(
      (await vitrine(['doctor', '--embedder', 'off', '--data', folder, '--json'])).stdout,
    ).toContain('every page is as it should be');
  },
  60_000,
);
