import { element } from '../page/element.js';
import { mendPanel } from './mend-panel.js';
import { figures, notice, panel, table, tag } from './parts.js';
import { histogram, meters, stackedColumns } from './plots.js';
import { perform } from './service.js';
import { chosenReport, filterForm, KINDS, withDownload } from './traffic-filter.js';
import { count, dayOfMonth, milliseconds, percent } from './wording.js';

/** @typedef {import('./service.js').Result<'hits.report'>} Report */
/** @typedef {Report['kinds'][number]['kind']} Kind */

/** Rows of a list. The command line shows all rows. */
const SHOWN = 10;

const KIND_NAMES = new Map(/** @type {readonly (readonly [Kind, string])[]} */ (KINDS));

const STEPS = {
  search: 'Searched',
  link: 'Followed a link',
  checkout: 'Went to checkout',
  purchase: 'Bought',
};

/**
 * Which agents came, what they asked, and which links they followed.
 *
 * @param {{ redraw: () => Promise<void> }} page
 */
export async function trafficView({ redraw }) {
  const heading = element('h1', {}, 'Traffic');
  /** @param {Report | null} shown */
  const head = (shown) => element('div', { class: 'head' }, heading, filterForm(shown, redraw));
  const [report, { shops }] = await Promise.all([
    perform('hits.report', { ...chosenReport(), limit: SHOWN }).catch(notice),
    perform('catalog.stats', {}),
  ]);
  if (report instanceof Node) return [head(null), report];
  const { firstDay, lastDay, before } = report;
  const lead = element(
    'p',
    { class: 'lead' },
    `${firstDay} to ${lastDay}, compared with ${before.firstDay} to ${before.lastDay}, days in UTC. A user agent is self-declared. “Verified” means that the edge network confirmed the identity.`,
  );
  const handles = shops.map(({ handle }) => handle);
  const found = report.hits === 0 ? [nothing()] : panels(report, { shops: handles, redraw });
  return [head(report), lead, ...found];
}

function nothing() {
  return panel(
    'No hits yet',
    element(
      'p',
      {},
      'The service records searches, assistants’ calls and landing page requests automatically. To record visits to the shop’s own pages, send hits to the service:',
    ),
    element(
      'ul',
      { class: 'plain' },
      element('li', {}, 'from an edge worker in front of the shop: ', code('vitrine hits worker')),
      element(
        'li',
        {},
        'from any server: ',
        code('POST /rest/hits/'),
        ', one hit or a batch of up to 1,000',
      ),
    ),
  );
}

/**
 * @param {Report} report
 * @param {{ shops: readonly string[], redraw: () => Promise<void> }} page
 */
function panels(report, page) {
  const { hits, fromAssistants, access, asked, before } = report;
  const was = before.asked;
  return [
    figures([
      ['Hits', compared(hits, before.hits)],
      [
        'From assistants and crawlers',
        comparedShare([fromAssistants, hits], [before.fromAssistants, before.hits]),
      ],
      ['Searches', compared(asked.hits, was.hits)],
      [
        'Without a good answer',
        comparedShare([asked.unanswered, asked.hits], [was.unanswered, was.hits]),
      ],
      ['Searches with a click', rate(report, 'chosen')],
      ['Searches with a purchase', rate(report, 'bought')],
      ['Answers without a key', compared(access.public, before.access.public)],
      ['Answers to a key', compared(access.key, before.access.key)],
    ]),
    element(
      'div',
      { class: 'panels' },
      daysPanel(report),
      funnelPanel(report),
      withDownload(mendPanel(report, page), 'unanswered'),
      questionsPanel(report),
      agentsPanel(report),
      latencyPanel(report),
    ),
  ];
}

/**
 * A count, and how it differs from the period before.
 *
 * @param {number} now
 * @param {number} before
 */
function compared(now, before) {
  return figure(count(now), before === 0 ? null : `${signed((100 * (now - before)) / before)} %`);
}

/**
 * A share, and how many points it differs from the period before.
 *
 * @param {readonly [number, number]} now Part and whole.
 * @param {readonly [number, number]} before
 */
function comparedShare([part, whole], [partBefore, wholeBefore]) {
  if (whole === 0) return figure('–', null);
  const points = 100 * (part / whole - partBefore / wholeBefore);
  return figure(percent(part, whole), wholeBefore === 0 ? null : `${signed(points)} points`);
}

/**
 * @param {Report} report
 * @param {'chosen' | 'bought'} what
 */
function rate({ asked, before, attributesChoices }, what) {
  if (!attributesChoices && asked[what] === 0) return figure('–', 'learning is off');
  const was = before.asked;
  return comparedShare([asked[what], asked.fromCustomers], [was[what], was.fromCustomers]);
}

/**
 * @param {string} value
 * @param {string | null} remark
 */
function figure(value, remark) {
  const small = remark === null ? null : element('small', {}, remark);
  return element('span', {}, value, small && ' ', small);
}

/** @param {number} value */
function signed(value) {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${rounded}` : String(rounded).replace('-', '−');
}

/** @param {Report} report */
function daysPanel({ days, kinds }) {
  const present = KINDS.filter(([kind]) => kinds.some((row) => row.kind === kind && row.hits > 0));
  const series = present.map(([kind, name]) => ({
    kind,
    name,
    total: kinds.find((row) => row.kind === kind)?.hits ?? 0,
  }));
  const columns = days.map(({ day, kinds: values }) => ({
    label: dayOfMonth(day),
    values: present.map(([kind]) => values[kind] ?? 0),
  }));
  return wide(withDownload(panel('Hits a day', stackedColumns(columns, series)), 'day'));
}

/** @param {Report} report */
function funnelPanel({ funnel }) {
  const most = Math.max(1, ...funnel.map(({ hits }) => hits));
  const rows = funnel.map(({ step, hits, fromAssistants }) => ({
    label: STEPS[step],
    value: hits,
    part: fromAssistants,
    note: `${count(hits)} · ${percent(hits, most)}`,
  }));
  return wide(panel('From question to purchase', byAssistants(), meters(rows)));
}

/** Legend of the two colours of a bar. */
function byAssistants() {
  return element(
    'ul',
    { class: 'legend' },
    element('li', { class: 'swatch kind-ai_retrieval' }, 'By assistants and their crawlers'),
    element('li', { class: 'swatch kind-human' }, 'By others'),
  );
}

/** @param {Report} report */
function questionsPanel({ questions }) {
  const title = 'Top questions';
  if (questions.length === 0)
    return wide(panel(title, element('p', { class: 'quiet-text' }, 'None.')));
  const rows = questions.map((row) => [
    row.question,
    count(row.hits),
    percent(row.fromAssistants, row.hits),
    row.fromCustomers === 0 ? '–' : percent(row.chosen, row.fromCustomers),
    row.fromCustomers === 0 ? '–' : percent(row.bought, row.fromCustomers),
  ]);
  const headings = ['Question', '#Searches', '#By assistants', '#With a click', '#With a purchase'];
  const list = table(headings, rows, { label: title });
  return wide(withDownload(panel(title, list), 'query'));
}

/** @param {Report} report */
function agentsPanel({ agents }) {
  const rows = agents.map(({ agent, kind, hits, verified, lastDay }) => [
    agent,
    element('span', { class: `swatch kind-${kind}` }, KIND_NAMES.get(kind) ?? kind),
    verified === 0
      ? '–'
      : tag(verified === hits ? 'verified' : `${percent(verified, hits)} verified`, 'good'),
    lastDay,
    count(hits),
  ]);
  const headings = ['Agent', 'Kind', 'Identity', 'Last seen', '#Hits'];
  const list = table(headings, rows, { label: 'Agents' });
  return wide(withDownload(panel('Agents', list), 'agent'));
}

/** @param {Report} report */
function latencyPanel({ latency }) {
  if (latency === null)
    return wide(
      panel(
        'Latency',
        element('p', { class: 'quiet-text' }, 'The service has not answered any requests yet.'),
      ),
    );
  const { classes, p50Ms, p95Ms, p99Ms, hits } = latency;
  const last = classes.findLastIndex((row) => row.hits > 0);
  const shown = classes.slice(0, Math.max(6, last + 1)).map(({ upToMs, hits: value }) => ({
    label: upToMs === null ? 'slower' : `≤ ${milliseconds(upToMs)}`,
    value,
  }));
  const remark = `${count(hits)} responses of the service: half within ${milliseconds(p50Ms)}, 95 % within ${milliseconds(p95Ms)}, 99 % within ${milliseconds(p99Ms)}.`;
  return wide(panel('Latency', element('p', { class: 'quiet-text' }, remark), histogram(shown)));
}

/** @param {HTMLElement} made */
function wide(made) {
  made.classList.add('wide');
  return made;
}

/** @param {string} words */
function code(words) {
  return element('code', {}, words);
}
