import type { JsonObject } from '../record/json-fields.ts';

/** Most items of a page, and characters of one value; a page lists some hundred products. */
const ITEM_COUNT_MAX = 10_000;
const TEXT_MAX = 100_000;

/** Attributes that hold an element's value, by its name (HTML, Microdata, "Values"). */
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = {
  meta: 'content',
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
  data: 'value',
  meter: 'value',
  time: 'datetime',
};

/** Elements that set words apart. */
const BREAKS = new Set(['br', 'p', 'div', 'li', 'td', 'th', 'dd', 'dt']);

/** An item under construction: a JSON-LD node, and where it will belong. */
interface Item {
  readonly node: Record<string, unknown>;
  readonly line: number;
}

interface Open {
  /** Nesting of elements at which it was opened. */
  readonly depth: number;
  /** The item that the element begins, else null. */
  readonly item: Item | null;
  /** The properties of the surrounding item that the element is the value of. */
  readonly properties: readonly string[];
  /** The item that has them. */
  readonly owner: Item | null;
  text: string;
}

/** Collects a page's microdata as JSON-LD nodes. Follows no `itemref`. */
export class Microdata {
  /** Items that are no property of another, complete. */
  readonly items: { readonly node: JsonObject; readonly line: number }[] = [];
  #open: Open[] = [];
  #depth = 0;
  #count = 0;

  openTag(name: string, attributes: Readonly<Record<string, string>>, line: () => number): void {
    this.#depth += 1;
    if (BREAKS.has(name)) this.text(' ');
    const { itemprop, itemscope } = attributes;
    if (itemprop === undefined && itemscope === undefined) return;
    if (this.#count >= ITEM_COUNT_MAX) return;
    const owner = this.#open.findLast(({ item }) => item !== null)?.item ?? null;
    const properties = owner === null ? [] : (itemprop ?? '').split(/\s+/).filter(Boolean);
    if (itemscope !== undefined) {
      this.#count += 1;
      const type = (attributes['itemtype'] ?? '').trim().split(/\s+/);
      const node: Record<string, unknown> = { '@type': type.length === 1 ? type[0] : type };
      if (attributes['itemid'] !== undefined) node['@id'] = attributes['itemid'];
      const item = { node, line: line() };
      this.#open.push({ depth: this.#depth, item, properties, owner, text: '' });
      return;
    }
    if (properties.length === 0) return;
    const value = attributes['content'] ?? attributes[VALUE_ATTRIBUTES[name] ?? ''];
    if (value !== undefined) addValue(owner, properties, value.trim());
    else this.#open.push({ depth: this.#depth, item: null, properties, owner, text: '' });
  }

  text(text: string): void {
    for (const open of this.#open) {
      if (open.item === null && open.text.length < TEXT_MAX) open.text += text;
    }
  }

  closeTag(): void {
    const last = this.#open.at(-1);
    if (last !== undefined && last.depth === this.#depth) {
      this.#open.pop();
      if (last.item === null)
        addValue(last.owner, last.properties, last.text.replace(/\s+/g, ' ').trim());
      else if (last.properties.length > 0) addValue(last.owner, last.properties, last.item.node);
      else this.items.push(last.item);
    }
    this.#depth -= 1;
  }
}

function addValue(owner: Item | null, properties: readonly string[], value: unknown): void {
  if (owner === null || value === '') return;
  for (const name of properties) {
    if (name === '__proto__') continue;
    const former = owner.node[name];
    owner.node[name] = former === undefined ? value : [former, value].flat();
  }
}
