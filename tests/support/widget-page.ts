import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import { Window } from 'happy-dom';
import { widgetHtml } from '../../src/assets/widget.ts';
import { translatorFor } from '../../src/messages/translator.ts';

const HTML = widgetHtml(translatorFor('en'));

/** The widget in a document without a browser. */
export interface WidgetPage {
  readonly window: Window;
  /** All requests that the page made. */
  readonly requests: string[];
  /** The visible text of an element, with white space collapsed. */
  text(selector?: string): string;
  click(selector: string): void;
  /** Lets pending promises run. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Loads the widget; `prepare` runs before its script does. */
export async function loadWidget(prepare: (window: Window) => void): Promise<WidgetPage> {
  const requests: string[] = [];
  const window = new Window({
    url: 'https://widget.example/',
    settings: {
      enableJavaScriptEvaluation: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      fetch: {
        interceptor: {
          beforeAsyncRequest: async ({ request }) => {
            requests.push(request.url);
            return new window.Response('');
          },
        },
      },
    },
  });
  prepare(window);
  window.document.write(HTML);
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  await settle();
  const found = (selector: string) => window.document.querySelector(selector);
  return {
    window,
    requests,
    text: (selector = 'main') => (found(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim(),
    click: (selector) => (found(selector) as unknown as HTMLElement).click(),
    settle,
    close: () => window.happyDOM.close(),
  };
}

export interface BridgedPage extends WidgetPage {
  readonly bridge: AppBridge;
  readonly heights: number[];
  /** Messages from another window than the host's. */
  post(message: object, from: 'host' | 'stranger'): void;
}

/** The widget with the official bridge as its host. Set the bridge's handlers before it answers. */
export async function loadWithBridge(
  host: {
    readonly capabilities?: ConstructorParameters<typeof AppBridge>[2];
    readonly context?: McpUiHostContext;
    prepare?(bridge: AppBridge): void;
  } = {},
): Promise<BridgedPage> {
  const everything = { openLinks: {}, serverTools: {}, message: { text: {} } };
  const bridge = new AppBridge(
    null,
    { name: 'test', version: '1.0.0' },
    host.capabilities ?? everything,
    { hostContext: host.context ?? { theme: 'light', locale: 'en-IE' } },
  );
  const heights: number[] = [];
  bridge.addEventListener('sizechange', ({ height }) => void heights.push(height ?? 0));
  host.prepare?.(bridge);
  const hostWindow = { postMessage: (message: JSONRPCMessage) => transport.onmessage?.(message) };
  let post: BridgedPage['post'] = () => undefined;
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => post(message, 'host'),
    close: async () => undefined,
  };
  await bridge.connect(transport);
  const page = await loadWidget((window) => {
    Object.defineProperty(window, 'parent', { value: hostWindow });
    post = (data, from) => {
      const source = from === 'host' ? hostWindow : {};
      const event = new window.MessageEvent('message', { data: structuredClone(data) });
      Object.defineProperty(event, 'source', { value: source });
      window.dispatchEvent(event);
    };
  });
  return { ...page, bridge, heights, post };
}

/** As `search_offerings` answers it. */
export const OFFERING = {
  id: '0b1f6a52-6c3e-5b0e-9d35-1f1d6a2c7e11',
  type: 'product',
  name: 'Skerry French Press',
  vendor: 'Brannvik',
  productType: 'Coffee makers',
  price: '44.00',
  compareAtPrice: '55.00',
  currency: 'EUR',
  availability: 'in_stock',
  available: true,
  publicUrl: 'https://shop.example.com/products/skerry',
  image: 'https://shop.example.com/skerry.jpg',
};

interface Found {
  readonly id?: unknown;
  /** Data for the cards only. */
  readonly bookable?: boolean;
  readonly variantImages?: object;
}

/** A tool result of `search_offerings` with these. */
export function found<Offering extends Found>(offerings: readonly Offering[], more: object = {}) {
  const results = offerings.map(({ bookable: _, variantImages: __, ...result }) => result);
  const booked = offerings.flatMap(({ id, bookable }) => (bookable === true ? [id] : []));
  const structuredContent = {
    query: 'coffee',
    count: results.length,
    results,
    contexts: [],
    ...more,
  };
  const images = Object.fromEntries(offerings.map(({ id, variantImages }) => [id, variantImages]));
  const _meta = { 'vitrine/bookable': booked, 'vitrine/variantImages': images };
  return { content: [], structuredContent, _meta };
}

/** The widget after it received this tool result. */
export async function showing(result: object, host: Parameters<typeof loadWithBridge>[0] = {}) {
  const page = await loadWithBridge(host);
  await page.bridge.sendToolResult(result as never);
  await page.settle();
  return page;
}
