import { element } from '../page/element.js';
import { columnsTable } from './import-columns.js';
import { faultList, followImport } from './import-progress.js';
import { button, link, notice, tag } from './parts.js';
import { amount, picture } from './result-card.js';
import { perform, upload } from './service.js';

/** @typedef {import('./service.js').Result<'draft.open'>} Draft */
/** @typedef {import('./service.js').Result<'draft.preview'>} Preview */
/** @typedef {{ format?: string, encoding?: string, mapping?: [string, string][] }} Hints */

/**
 * Where the import goes, and what to do when the operator has finished.
 *
 * @typedef {{ shop: string, leave: () => void }} Place
 */

const HOUR_MS = 3_600_000;

const INTERVALS = /** @type {const} */ ([
  ['Import once', 0],
  ['Repeat every hour', HOUR_MS],
  ['Repeat every 6 hours', 6 * HOUR_MS],
  ['Repeat every day', 24 * HOUR_MS],
]);

/**
 * Choosing a catalogue, looking at it, importing it, taking it back: one step at a time in one panel.
 *
 * @param {{ shops: readonly string[], isFirst: boolean, leave: () => void }} page
 */
export function importPanel({ shops, isFirst, leave }) {
  const steps = element('div', { class: 'steps' });
  const choice = shopChoice(shops);
  const place = () => ({ shop: choice?.value ?? shops[0] ?? '', leave });
  const start = () => steps.replaceChildren(chooser(choice, (draft) => examine(draft)));
  /** @param {Draft} draft */
  const examine = async (draft) => {
    const examination = new Examination(draft, { place: place(), steps, restart: start });
    await examination.draw({});
  };
  start();
  const size = isFirst ? 'panel import' : 'panel import small';
  return element('section', { class: size, 'aria-label': 'Import' }, steps);
}

/** @param {readonly string[]} shops */
function shopChoice(shops) {
  if (shops.length < 2) return null;
  const options = shops.map((handle) => new Option(handle, handle));
  return element('select', { 'aria-label': 'Shop' }, ...options);
}

/**
 * @param {Node | null} shop
 * @param {(draft: Draft) => Promise<void>} examine
 */
function chooser(shop, examine) {
  const status = element('div', { role: 'status' });
  /** @param {() => Promise<Draft>} open */
  const attempt = async (open) => {
    status.replaceChildren(element('p', { class: 'quiet-text' }, 'Reading the beginning…'));
    try {
      await examine(await open());
    } catch (error) {
      status.replaceChildren(notice(error));
    }
  };
  const address = element('input', {
    type: 'text',
    class: 'grow',
    inputmode: 'url',
    'aria-label': 'Address of a catalogue',
    placeholder: 'https://shop.example/products.json',
  });
  const form = element(
    'form',
    { class: 'row' },
    address,
    element('button', {}, 'Read the address'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(() => perform('draft.open', { url: address.value }));
  });
  const where = shop && element('p', { class: 'row' }, 'Into', shop);
  const zone = dropZone((file) => void attempt(() => upload(file)));
  const or = element('p', { class: 'or quiet-text' }, 'or from an address');
  return element('div', { class: 'step' }, where, zone, or, form, status);
}

/** @param {(file: File) => void} take */
function dropZone(take) {
  const input = element('input', { type: 'file', id: 'catalogue-file', class: 'unseen' });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) take(file);
    input.value = '';
  });
  const zone = element(
    'div',
    { class: 'drop' },
    element('p', { class: 'drop-title' }, 'Drop a file here'),
    input,
    element('label', { for: 'catalogue-file', class: 'button' }, 'Choose a file'),
    element(
      'p',
      { class: 'quiet-text' },
      'What your shop system exports: CSV, Excel, OpenDocument, XML or JSON, up to 200 MB. Nothing changes before you have seen it.',
    ),
  );
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'])
    zone.addEventListener(type, (event) => {
      event.preventDefault();
      zone.classList.toggle('over', type === 'dragenter' || type === 'dragover');
    });
  zone.addEventListener('drop', ({ dataTransfer }) => {
    const [file] = dataTransfer?.files ?? [];
    if (file !== undefined) take(file);
  });
  return zone;
}

/** One catalogue, looked at with the columns and the format that the operator chose. */
class Examination {
  /**
   * @param {Draft} draft
   * @param {{ place: Place, steps: Element, restart: () => void }} context
   */
  constructor(draft, { place, steps, restart }) {
    this.draft = draft;
    this.place = place;
    this.steps = steps;
    this.restart = restart;
    /** What to read with, once it has been drawn. @type {Hints} */
    this.hints = {};
  }

  /** @param {Hints} hints */
  async draw(hints) {
    const { draft, name } = this.draft;
    const preview = await perform('draft.preview', { shop: this.place.shop, draft, hints });
    const { columns, doubts, items, faults, use } = preview;
    const mapping = columns?.map(
      (column) =>
        /** @type {[string, string]} */ ([column.heading.toLowerCase(), column.name ?? '-']),
    );
    // Named, because a complete mapping would make it look like another format.
    this.hints = mapping === undefined ? hints : { ...hints, format: preview.format, mapping };
    const head = element(
      'div',
      { class: 'head' },
      element('h2', { tabindex: '-1' }, name),
      button('Choose another', this.restart, { class: 'quiet' }),
    );
    const chosen = columns
      ? columnsTable(columns, (next) => this.draw({ ...this.hints, mapping: next }))
      : usedColumns(use);
    const step = element(
      'div',
      { class: 'step' },
      head,
      this.formatLine(preview),
      doubts.length > 0 ? toCheck(doubts) : null,
      chosen,
      looks(items),
      faults.length > 0 ? faultList('In the first rows', faults) : null,
      this.actions(),
    );
    const label = document.activeElement?.getAttribute('aria-label');
    this.steps.replaceChildren(step);
    const menus = [...step.querySelectorAll('select')];
    const same = menus.find((menu) => menu.getAttribute('aria-label') === label);
    (same ?? head.querySelector('h2'))?.focus({ preventScroll: true });
  }

  /** @param {Preview} preview */
  formatLine({ format, evidence, formats, currency }) {
    const options = formats.map((name) => new Option(name, name, false, name === format));
    const select = element('select', { 'aria-label': 'Format' }, ...options);
    select.addEventListener('change', () => {
      void this.draw({ format: select.value }).catch((error) => select.after(notice(error)));
    });
    return element(
      'div',
      { class: 'row' },
      select,
      element(
        'span',
        { class: 'quiet-text' },
        `${evidence[0]?.toUpperCase()}${evidence.slice(1)}. Prices that name no currency are in ${currency}.`,
      ),
    );
  }

  actions() {
    const full = element('input', { type: 'checkbox' });
    const every = this.draft.name.startsWith('http')
      ? element(
          'select',
          { 'aria-label': 'How often' },
          ...INTERVALS.map(([words, ms]) => new Option(words, String(ms))),
        )
      : null;
    /** @param {boolean} dryRun */
    const run = async (dryRun) => {
      const everyMs = Number(every?.value ?? 0);
      const started = await perform('draft.import', {
        ...{ shop: this.place.shop, draft: this.draft.draft, hints: this.hints, dryRun },
        full: full.checked,
        ...(everyMs > 0 && !dryRun ? { everyMs } : {}),
      });
      const step = element('div', { class: 'step' });
      this.steps.replaceChildren(step);
      await followImport(started, step, {
        again: () => this.draw(this.hints),
        commit: () => run(false),
        leave: this.place.leave,
      });
    };
    return element(
      'div',
      { class: 'row actions' },
      button('Import', () => run(false), { class: 'strong' }),
      button('Check every row first', () => run(true)),
      every,
      element(
        'label',
        { class: 'check' },
        full,
        'This is the whole catalogue: archive what it lacks',
      ),
    );
  }
}

/** @param {readonly string[]} doubts */
function toCheck(doubts) {
  const lines = doubts.map((doubt) => element('li', {}, doubt));
  return element(
    'div',
    { class: 'notice low' },
    element('p', {}, 'Please check the columns before you import:'),
    element('ul', { class: 'plain' }, ...lines),
  );
}

/** @param {Preview['use']} use */
function usedColumns({ used, ignored }) {
  if (used.length === 0) return null;
  const tags = used.map((name) => tag(name, 'accent'));
  const rest = ignored.map((name) => tag(name));
  return element(
    'details',
    {},
    element('summary', {}, `Reads ${used.length} columns, leaves out ${ignored.length}`),
    element('p', { class: 'tags' }, ...tags),
    rest.length > 0 ? element('p', { class: 'quiet-text' }, 'Left out:') : null,
    element('p', { class: 'tags' }, ...rest),
  );
}

/** @param {Preview['items']} items */
function looks(items) {
  if (items.length === 0) return notice('No row could be read.');
  const title =
    items.length === 1
      ? 'The first item, as it will look'
      : `The first ${items.length} items, as they will look`;
  const cards = items.map((item) => {
    const { name, url, image, type, vendor, productType, availability, variantCount } = item;
    const kinds = [vendor, productType].filter((part) => part !== null).join(' · ');
    return element(
      'li',
      { class: 'result plain-result' },
      picture(image, type),
      element('h3', {}, link(name, url)),
      amount(item),
      element(
        'p',
        { class: 'score' },
        kinds,
        availability !== null && availability !== 'unknown' ? availabilityTag(availability) : null,
        variantCount > 0 ? tag(`${variantCount} variants`) : null,
      ),
      element('p', { class: 'why' }, item.description),
    );
  });
  return element(
    'div',
    {},
    element('h3', {}, title),
    element('ol', { class: 'results' }, ...cards),
  );
}

/** @param {string} availability */
function availabilityTag(availability) {
  const isGone = availability === 'out_of_stock' || availability === 'discontinued';
  return tag(availability.replaceAll('_', ' '), isGone ? 'low' : 'good');
}
