import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vitrine, vitrineJson } from '../support/command-line.ts';
import { callApi, operatorAsk, signIn } from '../support/operator-page.ts';
import { startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const NAMES = ['Red kettle', 'Blue kettle', 'Oak table'];

test('judgements on the admin page become the files that eval reads', async () => {
  const service = await startService({ embedder: null });
  await service.operator.importRows(
    NAMES.map((name, index) => ({ externalId: `p ${index}`, name, price: '10.00' })),
  );
  const ask = operatorAsk(service);
  const cookie = await signIn(service, ask);
  const judge = (question: string, externalId: string, grade: number | null) =>
    callApi(ask, cookie, {
      operation: 'judgement.save',
      input: { question, externalId, grade },
    });
  await judge('kettle', 'p 0', 0);
  await judge('kettle', 'p 0', 3);
  await judge('  kettle ', 'p 1', 0);
  await judge('an oak\ttable', 'p 2', 3);
  await judge('an oak\ttable', 'p 0', 0);
  await judge('an oak\ttable', 'p 0', null);
  expect((await judge('kettle', 'p 0', 4)).status).toBe(400);
  await service.services.close();

  const data = ['--data', service.folder];
  const out = join(folder.path, 'judged');
  expect(await vitrineJson('judgements', 'export', out, ...data)).toEqual({
    folder: out,
    queries: 2,
    judgements: 3,
  });
  const [queries, judgements] = [join(out, 'queries.tsv'), join(out, 'qrels.tsv')];
  expect(readFileSync(queries, 'utf8')).toBe('q1\tan oak table\nq2\tkettle\n');
  expect(readFileSync(judgements, 'utf8')).toBe('q1\t0\tp 2\t3\nq2\t0\tp 0\t3\nq2\t0\tp 1\t0\n');
  const evaluated = await vitrine(
    ['eval', '--queries', queries, '--judgements', judgements, ...data, '--json'],
    { environment: { VITRINE_EMBEDDER: 'off' } },
  );
  expect(evaluated.exitCode).toBe(0);
  expect(JSON.parse(evaluated.stdout).all).toMatchObject({
    queries: 2,
    figures: { 'recall@50': 1 },
  });
  service.discard();
});

test('69: a link needs a running service, and says how to start one', async () => {
  const service = await startService({ embedder: null });
  await service.services.close();
  const { exitCode, stdout, stderr } = await vitrine(['admin', 'link', '--data', service.folder]);
  expect([exitCode, stdout]).toEqual([69, '']);
  expect(stderr).toContain('start it with "vitrine serve"');
  service.discard();
});
