import { element } from '../page/element.js';
import { figures, panel, table, tag } from './parts.js';
import { histogram, meters, stackedColumns } from './plots.js';
import { perform } from './service.js';
import { count, dayOfMonth, milliseconds, percent } from './wording.js';

/** @typedef {import('./service.js').Result<'hits.report'>} Report */
/** @typedef {Report['kinds'][number]['kind']} Kind */

const PERIODS = /** @type {const} */ ([
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
]);

/** Rows of a list. The command line shows all rows. */
const SHOWN = 10;

/**
 * From the bottom of a column to its top. Assistants come first, because the page is about them.
 */
const KINDS = /** @type {const} */ ([
  ['ai_retrieval', 'Assistants'],
  ['ai_indexer', 'Assistants’ indexes'],
  ['ai_training', 'Model training'],
  ['search_engine', 'Search engines'],
  ['tool', 'Tools'],
  ['unknown', 'Unknown'],
  ['human', 'People'],
]);

const KIND_NAMES = new Map(/** @type {readonly (readonly [Kind, string])[]} */ (KINDS));

const STEPS = {
  search: 'Searched',
  link: 'Followed a link',
  checkout: 'Went to checkout',
  purchase: 'Bought',
};

let period = /** @type {string} */ ('30d');

/**
 * Which agents came, what they asked, and which links they followed.
 *
 * @param {{ redraw: () => Promise<void> }} page
 */
export async function trafficView({ redraw }) {
  const report = await perform('hits.report', { since: period, limit: SHOWN });
  const choice = element('select', { 'aria-label': 'Period' });
  choice.append(
    ...PERIODS.map(([value, label]) => new Option(label, value, false, value === period)),
  );
  choice.addEventListener('change', () => {
    period = choice.value;
    void redraw();
  });
  const head = [
    element('div', { class: 'head' }, element('h1', {}, 'Traffic'), choice),
    element(
      'p',
      { class: 'lead' },
      `${report.firstDay} to ${report.lastDay}, days in UTC. A user agent is self-declared. “Verified” means that the edge network confirmed the identity.`,
    ),
  ];
  return report.hits === 0 ? [...head, nothing()] : [...head, ...panels(report)];
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

/** @param {Report} report */
function panels(report) {
  const { hits, fromAssistants, access, funnel, latency } = report;
  const asked = report.questions.reduce((sum, row) => sum + row.hits, 0);
  const unanswered = report.questions.reduce((sum, row) => sum + row.unanswered, 0);
  const checkouts = funnel.find(({ step }) => step === 'checkout')?.hits ?? 0;
  return [
    figures([
      ['Hits', count(hits)],
      ['From assistants and crawlers', percent(fromAssistants, hits)],
      ['Top questions unanswered', percent(unanswered, asked)],
      ['Checkouts', count(checkouts)],
      ['Answers without a key', count(access.public)],
      ['Answers to a key', count(access.key)],
      ['Median latency', latency === null ? '–' : milliseconds(latency.p50Ms)],
    ]),
    element(
      'div',
      { class: 'panels' },
      daysPanel(report),
      funnelPanel(report),
      questionsPanel(report),
      unansweredPanel(report),
      agentsPanel(report),
      latencyPanel(report),
    ),
  ];
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
  return wide(panel('Hits a day', stackedColumns(columns, series)));
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
  if (questions.length === 0) return panel('Top questions', none());
  const rows = questions.map(({ question, hits, fromAssistants }) => ({
    label: question,
    value: hits,
    part: fromAssistants,
    note: count(hits),
  }));
  return panel('Top questions', byAssistants(), meters(rows));
}

/** @param {Report} report */
function unansweredPanel({ unanswered }) {
  if (unanswered.length === 0) return panel('Questions without an answer', none());
  const rows = unanswered.map(({ question, unanswered: times }) => [question, count(times)]);
  const shown = table(['Question', '#Times'], rows, { label: 'Questions without an answer' });
  return panel('Questions without an answer', shown);
}

function none() {
  return element('p', { class: 'quiet-text' }, 'None.');
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
  return wide(panel('Agents', table(headings, rows, { label: 'Agents' })));
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
