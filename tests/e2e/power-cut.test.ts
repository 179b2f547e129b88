import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { figure } from '../support/figure.ts';
import { randomFrom } from '../support/garbage.ts';
import { canRecord, copyWithoutSync, cutPower, recordWrites } from '../support/power-cuts.ts';
import { PROGRAM_COMMAND } from '../support/processes.ts';
import { SEED } from '../support/seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Images; `bun run promises` looks at more, and at a service without the guard. */
const IMAGES = Number(process.env['VITRINE_TEST_POWER_CUTS'] ?? 40);
const IS_LONG = process.env['VITRINE_TEST_POWER_CUTS'] !== undefined;

/** Hits that are acknowledged before the end of the recording. */
const HITS = IS_LONG ? 2000 : 300;

const temporary = temporaryFolder();
afterAll(temporary.remove);

const isRecordable = canRecord();
if (!isRecordable) process.stderr.write('skipped: power cuts (no strace, or it may not trace)\n');

async function outcomeOf(command: readonly string[], name: string) {
  const folder = join(temporary.path, name);
  const recording = await recordWrites(command, { folder, hits: HITS });
  return cutPower(recording, { count: IMAGES, random: randomFrom(SEED) });
}

test.skipIf(!isRecordable)(
  `a hit that was answered 201 survives a power cut that keeps nothing but what was synced and some sectors of the rest, seed ${SEED}`,
  async () => {
    const outcome = await outcomeOf(PROGRAM_COMMAND, 'data');
    expect(outcome).toMatchObject({ images: IMAGES, losing: 0, damaged: [] });
    expect(outcome.acknowledged).toBeGreaterThan(HITS / 6);
    figure(`${IMAGES} images, ${outcome.acknowledged} hits acknowledged: 0 lost`);
  },
  7_200_000,
);

test.skipIf(!isRecordable || !IS_LONG)(
  'the same finds what is lost when commits do not wait for the disk',
  async () => {
    const careless = copyWithoutSync(join(temporary.path, 'careless'));
    const { losing } = await outcomeOf(careless.command, 'careless-data');
    expect(losing).toBeGreaterThan(0);
    figure(`without waiting for the disk: ${losing} of ${IMAGES} images lack hits`);
  },
  7_200_000,
);
