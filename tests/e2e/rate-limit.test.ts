import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { vitrineJson } from '../support/command-line.ts';
import { figure } from '../support/figure.ts';
import { PROGRAM_COMMAND, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How long callers ask for all they can get; 30 in `bun run promises`. */
const SECONDS = Number(process.env['VITRINE_TEST_RATE_SECONDS'] ?? 1);

const CONNECTIONS = 64;

/**
 * Less than any machine can answer, so that it is the limit that is measured. No caller loses anything
 * while a busy machine lets none of them run: ten seconds fit into the burst.
 */
const LIMIT = { perMinute: 2400, burst: 400 };
const PER_MS = LIMIT.perMinute / 60_000;

const temporary = temporaryFolder();
afterAll(temporary.remove);

test(`64 connections that never stop asking get what the limit gives for ${SECONDS} s, no less than 99 % of it and no more`, async () => {
  const place = ['--data', join(temporary.path, 'data')];
  const { apiKey } = await vitrineJson<{ apiKey: string }>('init', '--org', 'Acme', ...place);
  const limit = ['--rate-per-minute', `${LIMIT.perMinute}`, '--burst', `${LIMIT.burst}`];
  await vitrineJson('org', 'set', ...limit, ...place);
  const serving = await serve(PROGRAM_COMMAND, [...place, '--embedder', 'off']);
  const ask = async () => {
    const headers = { 'x-api-key': apiKey };
    const response = await fetch(`${serving.url}/rest/search/v2/?q=lamp`, { headers });
    await response.text();
    return response;
  };
  const startedMs = performance.now();
  const endMs = startedMs + SECONDS * 1000;
  let firstMs = 0;
  let lastMs = 0;
  let granted = 0;
  let refused = 0;
  const askOn = async () => {
    // What is there at the end is taken as well: only a refusal asked for after it shows that nothing is left.
    let isRefused = false;
    let sentMs = startedMs;
    while (sentMs < endMs || !isRefused) {
      sentMs = performance.now();
      const { status, headers } = await ask();
      isRefused = status !== 200;
      lastMs = performance.now();
      firstMs ||= lastMs;
      if (status === 200) granted += 1;
      else {
        expect([status, headers.get('retry-after')]).toEqual([429, '1']);
        refused += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
  const most = LIMIT.burst + PER_MS * (lastMs - startedMs) + 1;
  figure(`${granted} granted of at most ${most.toFixed(0)}, ${refused} refused in ${SECONDS} s`);
  // The service's own first and last moment lie between ours.
  expect(granted).toBeLessThanOrEqual(most);
  expect(granted).toBeGreaterThanOrEqual(LIMIT.burst + 0.99 * PER_MS * (endMs - firstMs) - 1);
  expect(refused).toBeGreaterThan(0);
  await Bun.sleep(1000);
  expect((await ask()).status).toBe(200);
  expect(await serving.stop()).toBe(0);
}, 400_000);
