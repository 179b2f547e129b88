import { say } from './say.js';

/*
 * Seam: MCP Apps (SEP-1865, revision 2026-01-26). The page exchanges JSON-RPC 2.0 messages with the
 * surrounding window by postMessage; the host forwards `tools/call` to the server.
 */

/**
 * @typedef {Record<string, any>} Params
 * @typedef {{ initialized(answer: Params): void, notified(method: string, params: Params): void, closed(): void }} BridgeEvents
 * @typedef {{ resolve(result: any): void, reject(error: Error): void, timer: ReturnType<typeof setTimeout> | undefined }} Waiting
 * @typedef {ReturnType<typeof openBridge>} Bridge
 */

const REVISION = '2026-01-26';

const ANSWER_MS = 60_000;

/**
 * Starts the handshake immediately. `initialized` gets the host's response; nothing is sent after
 * `closed`.
 *
 * @param {BridgeEvents} events
 */
export function openBridge(events) {
  const host = window.parent;
  /** @type {Map<unknown, Waiting>} */
  const waiting = new Map();
  let requestCount = 0;

  // A sandboxed page cannot know its host's origin. It sends only data that came from the host.
  /** @param {Params} message */
  const send = (message) => host.postMessage({ jsonrpc: '2.0', ...message }, '*');

  /**
   * @param {string} method
   * @param {Params} params
   */
  const notify = (method, params) => send({ method, params });

  /**
   * Rejects with the host's error message, or after a minute without a response; `patient` waits
   * forever.
   *
   * @param {string} method
   * @param {Params} params
   * @param {{ patient?: boolean }} [options]
   * @returns {Promise<any>}
   */
  function request(method, params, { patient = false } = {}) {
    requestCount += 1;
    const id = requestCount;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(id);
        reject(new Error(say('noAnswer')));
      };
      waiting.set(id, {
        resolve,
        reject,
        timer: patient ? undefined : setTimeout(giveUp, ANSWER_MS),
      });
      send({ id, method, params });
    });
  }

  /** @param {Params} message */
  function settle({ id, result, error }) {
    const open = waiting.get(id);
    waiting.delete(id);
    clearTimeout(open?.timer);
    if (error === undefined) open?.resolve(result ?? {});
    else open?.reject(new Error(String(error?.message ?? say('refused'))));
  }

  /** @param {Params} message */
  function answer({ id, method }) {
    if (method === 'ping') send({ id, result: {} });
    else if (method === 'ui/resource-teardown') {
      send({ id, result: {} });
      window.removeEventListener('message', receive);
      events.closed();
    } else send({ id, error: { code: -32601, message: `This page has no method ${method}.` } });
  }

  /** @param {MessageEvent} event */
  function receive({ source, data }) {
    // Other frames may post messages, too.
    if (source !== host || data?.jsonrpc !== '2.0') return;
    if (typeof data.method !== 'string') settle(data);
    else if (data.id === undefined) events.notified(data.method, data.params ?? {});
    else answer(data);
  }

  window.addEventListener('message', receive);
  const hello = {
    appInfo: { name: 'vitrine-offerings', title: 'Offerings', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    protocolVersion: REVISION,
  };
  request('ui/initialize', hello, { patient: true }).then((result) => {
    notify('ui/notifications/initialized', {});
    events.initialized(result);
    // A host that refuses the handshake may still offer ChatGPT's interface.
  }, events.closed);

  return { request, notify };
}
