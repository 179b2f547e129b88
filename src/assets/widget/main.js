import { applyContext, applyLocale } from './appearance.js';
import { connectHost } from './host.js';
import { phaseOf } from './phase.js';
import { viewOf } from './view.js';
import { text, validLocale } from './wording.js';

/**
 * @type {{ input: Record<string, unknown>, result: import('./host.js').ToolResult | null,
 * cancelled: string | null }}
 */
const told = { input: {}, result: null, cancelled: null };
let locale = validLocale(navigator.language);
let shownKey = '';
let shownSize = '';

const host = connectHost({
  input: (input) => tell({ input }),
  result: (result) => tell({ result, cancelled: null }),
  cancelled: (reason) => tell({ cancelled: text(reason), result: null }),
  context: (context) => {
    applyContext(context);
    if (context['locale'] !== undefined) locale = validLocale(context['locale']);
    tell({});
  },
  ready: () => {
    shownSize = '';
    reportSize();
  },
  closed: () => sizes.disconnect(),
});

const sizes = new ResizeObserver(reportSize);
sizes.observe(document.documentElement);
tell({});

/** @param {Partial<typeof told>} news */
function tell(news) {
  Object.assign(told, news);
  // During connectHost() there is no host yet; the page is drawn again right afterwards.
  queueMicrotask(show);
}

/**
 * Redraws only what differs, so that a theme change neither closes anything nor moves the focus.
 */
function show() {
  const phase = phaseOf({ ...told, isAlone: !host.isThere() });
  const key = JSON.stringify([phase, locale, host.canCallTools(), host.canSendMessages()]);
  if (key === shownKey) return;
  shownKey = key;
  applyLocale(locale);
  const { parts, announcement } = viewOf(phase, { host, locale });
  const main = /** @type {HTMLElement} */ (document.getElementById('offerings'));
  main.setAttribute('aria-busy', String(phase.kind === 'loading'));
  main.replaceChildren(...parts.filter((part) => part !== null));
  /** @type {HTMLElement} */ (document.getElementById('announcement')).textContent = announcement;
  reportSize();
}

function reportSize() {
  const { height } = document.documentElement.getBoundingClientRect();
  const size = { width: window.innerWidth, height: Math.ceil(height) };
  if (JSON.stringify(size) === shownSize) return;
  shownSize = JSON.stringify(size);
  host.reportSize(size);
}
