import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { niceTicks, stackedBars } from '../../src/cli/hits/charts.ts';
import { renderReportHtml } from '../../src/cli/hits/hits-html.ts';
import { renderReport } from '../../src/cli/hits/hits-text.ts';
import { mendCommands } from '../../src/cli/hits/mend-commands.ts';
import { normalizeQuestion } from '../../src/domain/hit.ts';
import { escapeHtml } from '../../src/domain/html.ts';
import { LANGUAGES } from '../../src/messages/languages.ts';
import { CATALOGUES, translatorFor } from '../../src/messages/translator.ts';
import { REPORT_PARTS, reportCsv } from '../../src/operations/hits/export-report.ts';
import type { HitReport } from '../../src/operations/hits/report-hits.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { hitOf, posted } from '../support/hits.ts';
import { type LocalService, startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOSTILE = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', ' =1', "'=1"],
  ...['"quoted", and a comma', 'two\nlines', '<script>alert(1)</script>', '</title><img src=x>'],
];

const translator = translatorFor('en');

let service: LocalService;
let report: HitReport;

beforeAll(async () => {
  service = await startService();
  const hits = HOSTILE.flatMap((text) => [
    hitOf('acme', { url: `https://s.example/?q=${encodeURIComponent(text)}` }),
    hitOf('acme', { classification: 'page_view', path: text }),
  ]);
  await service.fetch('/rest/hits/', posted(hits));
  await service.fetch(
    '/rest/hits/',
    posted(hitOf('acme', { userAgent: 'ChatGPT-User', verifiedBot: true })),
  );
  const found = await service.perform<HitReport>('hits.report', { limit: 100 });
  report = { ...found, unanswered: found.questions };
});
afterAll(() => service.close());

describe('CSV', () => {
  test.each(REPORT_PARTS)('by %s: no field of any column begins as a formula does', (by) => {
    const rows = parse(reportCsv(report, by), { bom: true }) as string[][];
    expect(rows.length).toBeGreaterThan(1);
    for (const field of rows.flat()) expect(field).not.toMatch(/^\s*[=+\-@\t\r＝＋－＠]/);
  });

  test('contains every question, and reads back unchanged', () => {
    const rows = parse(reportCsv(report, 'query'), { bom: true, columns: true }) as {
      question: string;
    }[];
    const questions = rows.map(({ question }) => question.replace(/^'/, ''));
    for (const { question } of report.questions)
      expect(questions).toContain(question.replace(/^'/, ''));
  });
});

describe('the page', () => {
  test('shows untrusted text only as text, and is self-contained', () => {
    const html = renderReportHtml(report, { translator });
    expect(html).not.toMatch(/<script|<img|<link|@import|url\(|src=x>/i);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html.match(/\bhttps?:\/\//g)).toBeNull();
  });

  test('is well-formed: every element that opens closes, in order', async () => {
    const open: string[] = [];
    const faults: string[] = [];
    for (const [, slash, name, attributes] of renderReportHtml(report, { translator }).matchAll(
      /<(\/?)([a-z0-9]+)([^>]*)>/gi,
    )) {
      if (attributes!.endsWith('/') || ['meta'].includes(name!)) continue;
      if (slash === '') open.push(name!);
      else if (open.pop() !== name) faults.push(name!);
    }
    expect([faults, open]).toEqual([[], []]);
  });

  test('is a page even without hits', () => {
    const empty = {
      ...report,
      hits: 0,
      agents: [],
      questions: [],
      unanswered: [],
      pages: [],
      classifications: [],
    };
    expect(renderReportHtml(empty, { translator })).toContain('Nothing.');
    expect(renderReport(empty, { translator, by: null, columns: 80 })).toContain('0 hits');
  });
});

/** A report with a question that was asked, clicked and bought, and with a period before. */
function compared(): HitReport {
  const counts = { hits: 40, fromAssistants: 10, fromCustomers: 40, unanswered: 4 };
  const asked = { ...counts, chosen: 20, bought: 5 };
  const before = { ...report.before, hits: 20, asked: { ...asked, hits: 20, chosen: 16 } };
  const row = { question: 'enamel mug', ...asked };
  return { ...report, hits: 30, asked, before, questions: [row], unanswered: [row] };
}

test('the page shows what was clicked and bought, the period before, and the four ways to mend a question', () => {
  const html = renderReportHtml(compared(), { translator, target: ['--data', "a folder's"] });
  const text = html.replace(/<style>.*<\/style>/s, '').replace(/<[^>]*>/g, '|');
  expect(text).toContain('|50%||of customers’ searches led to a click||before: 40% (+10 points)|');
  expect(text).toContain('|30||hits||before: 20 (+50%)|');
  expect(text).toMatch(/\|enamel mug\|+40\|+25%\|+50%\|+13%\|/);
  expect(text).toContain('enamel mug: 4 of 40 without a good answer');
  for (const { command } of mendCommands('enamel mug', ['--data', "a folder's"]))
    expect(html).toContain(escapeHtml(command));
});

test.each(LANGUAGES)('in %s, text and page say nothing in another language', (language) => {
  const own = translatorFor(language);
  const page = renderReportHtml(compared(), { translator: own });
  const text = renderReport(compared(), { translator: own, by: null, columns: 120 });
  expect(page).toContain(`<html lang="${language}">`);
  expect(text).toContain(own.text('report.column.clicked'));
  for (const other of LANGUAGES.filter((one) => one !== language))
    for (const [key, wording] of Object.entries(CATALOGUES[other])) {
      const isSentence = key.startsWith('report.') && /\p{L}{2} \p{L}{2}/u.test(String(wording));
      if (!isSentence || typeof wording !== 'string' || wording.includes('{')) continue;
      if (Object.values<unknown>(CATALOGUES[language]).includes(wording)) continue;
      expect([key, page.includes(escapeHtml(wording)) || text.includes(wording)]).toEqual([
        ...[key, false],
      ]);
    }
});

test('a report is in the language that the shops share', async () => {
  const localeOf = async () => (await service.perform<HitReport>('hits.report', {})).locale;
  const setLocale = (locale: string) => service.perform('shop.set', { locale });
  expect(await localeOf()).toBe('en');
  await setLocale('de-AT');
  expect(await localeOf()).toBe('de-AT');
  await service.perform('shop.create', {
    ...{ handle: 'paris', name: 'Paris', currency: 'EUR', locale: 'fr' },
  });
  expect(await localeOf()).toBe('en');
});

test('the text contains no terminal control characters', () => {
  const [first] = report.questions;
  const hostile = { ...report, questions: [{ ...first!, question: '\u001b[31mred\u202e' }] };
  const text = renderReport(hostile, { translator, by: 'query', columns: 100 });
  expect(text.includes('\u001b[31m') || text.includes('\u202e')).toBe(false);
  expect(text).toContain('red');
});

test.each([...HOSTILE, "it's", '$(touch x)', '`id`', '-rf', 'a\\'])(
  'the commands that mend %j hand it to a shell as one word, unread',
  (text) => {
    const question = normalizeQuestion(text)!;
    const commands = mendCommands(question, ['--data', "a folder's"]);
    const script = `vitrine() { for word; do printf '[%s]' "$word"; done; cat; }\n${commands.map(({ command }) => command).join('\n')}`;
    const { stdout, stderr } = Bun.spawnSync(['sh', '-c', script], { stdin: null });
    const words = stdout.toString();
    const shown = question.replace(/\p{C}/gu, '�');
    expect(stderr.toString()).toBe('');
    expect(words).toContain(`[tune][pin][--data][a folder's][--][${shown}][ITEM]`);
    expect(words).toContain(`[hits][ignore][--data][a folder's][--][${shown}]`);
    const [, context] = /\[-\](\{.*?\})\[hits\]/s.exec(words)!;
    expect(JSON.parse(context!)).toMatchObject({ type: 'context', name: shown });
  },
);

test.each([
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 50, 100]],
  [1165, [0, 500, 1000, 1500]],
])('a scale up to %i has round steps', (most, ticks) => {
  expect(niceTicks(most)).toEqual(ticks);
});

test('bars are as high as their values on that scale', () => {
  const svg = stackedBars(
    ['a'],
    [
      { name: 'x', color: 'red', values: [50] },
      { name: 'y', color: 'blue', values: [50] },
    ],
  );
  const heights = [...svg.matchAll(/<path d="M[\d.]+ ([\d.]+)V([\d.]+)q0 -?([\d.]+)/g)].map(
    ([, bottom, top, radius]) => Number(bottom) - Number(top) + Number(radius),
  );
  expect(heights).toEqual([112, 112]);
});

describe('commands', () => {
  const temporary = temporaryFolder();
  const data = join(temporary.path, 'data');
  afterAll(temporary.remove);

  test('report as text, JSON, CSV and page; tail; purge; without a service as well', async () => {
    await initializeFolder(data, '--org', 'Acme');
    const text = await vitrine(['hits', 'report', '--data', data]);
    expect([text.exitCode, text.stdout]).toEqual([0, expect.stringContaining('0 hits')]);
    expect(
      await vitrineJson<HitReport>('hits', 'report', '--since', '3d', '--data', data),
    ).toMatchObject({ hits: 0 });
    const german = await vitrine(['hits', 'report', '--language', 'de', '--data', data]);
    expect(german.stdout).toContain('0 Zugriffe');
    const unknown = await vitrine(['hits', 'report', '--language', 'pl', '--data', data]);
    expect([unknown.exitCode, unknown.stdout]).toEqual([64, '']);
    const csv = await vitrine(['hits', 'report', '--csv', '--by', 'agent', '--data', data]);
    expect(csv.stdout).toContain('agent,kind,hits,verified,last_day');
    const file = join(temporary.path, 'report.html');
    await vitrine(['hits', 'report', '--html', file, '--data', data]);
    expect(readFileSync(file, 'utf8')).toContain('<!doctype html>');
    expect(await vitrine(['hits', 'tail', '--no-follow', '--data', data])).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    expect((await vitrine(['hits', 'tail', '--data', data])).exitCode).toBe(69);
    const purge = ['hits', 'purge', '--all', '--data', data];
    expect(await vitrine(purge)).toMatchObject({ exitCode: 64, stdout: '' });
    expect(await vitrine(purge, { canAsk: true, input: 'y\n' })).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('permanently deletes every hit of the organization'),
    });
    expect((await vitrine(purge, { canAsk: true, input: 'yes\n' })).exitCode).toBe(0);
    expect(await vitrineJson('hits', 'purge', '--all', '--yes', '--data', data)).toEqual({
      purged: 0,
    });
    expect((await vitrine(['hits', 'purge', '--data', data])).exitCode).toBe(64);
    expect((await vitrine(['hits', 'report', '--csv', '--json', '--data', data])).exitCode).toBe(
      64,
    );
  });
});
