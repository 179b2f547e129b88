import { openBridge } from './bridge.js';
import { chatGpt, hostContextOf, toolResultOf } from './chatgpt.js';

/**
 * @typedef {{ structuredContent?: any, content?: any, isError?: unknown, _meta?: any }} ToolResult
 * @typedef {object} HostEvents
 * @property {(input: Record<string, unknown>) => void} input The tool's arguments, complete or partial.
 * @property {(result: ToolResult) => void} result
 * @property {(reason: unknown) => void} cancelled
 * @property {(context: Record<string, any>) => void} context Changes to theme, locale, styles and placement.
 * @property {() => void} ready The bridge accepts messages from now on.
 * @property {() => void} closed
 * @typedef {ReturnType<typeof connectHost>} Host
 */

/**
 * Connects to the host that shows this page. A host may support MCP Apps, ChatGPT's interface, or
 * both.
 * With both, the bridge takes precedence, and `window.openai` fills in what the bridge does not
 * offer.
 *
 * @param {HostEvents} events
 */
export function connectHost(events) {
  /**
   * Capabilities of the bridge's host; null before the handshake. @type {Record<string, unknown> |
   * null}
   */
  let offers = null;
  const bridge = window.parent === window ? null : openBridge({ initialized, notified, closed });

  /** @param {Record<string, any>} answer */
  function initialized({ hostCapabilities, hostContext }) {
    offers = hostCapabilities ?? {};
    events.context(hostContext ?? {});
    events.ready();
  }

  /**
   * @param {string} method
   * @param {Record<string, any>} params
   */
  function notified(method, params) {
    const name = method.replace('ui/notifications/', '');
    if (name === 'tool-input' || name === 'tool-input-partial')
      events.input(params['arguments'] ?? {});
    else if (name === 'tool-result') events.result(params);
    else if (name === 'tool-cancelled') events.cancelled(params['reason']);
    else if (name === 'host-context-changed') events.context(params);
  }

  function closed() {
    offers = null;
    if (chatGpt() === null) events.closed();
  }

  function readGlobals() {
    const globals = chatGpt();
    if (globals === null) return;
    events.context(hostContextOf(globals));
    if (globals.toolInput) events.input(/** @type {Record<string, unknown>} */ (globals.toolInput));
    if (globals.toolOutput) {
      const { toolOutput: structuredContent, toolResponseMetadata: _meta } = globals;
      events.result({ structuredContent, _meta });
    }
  }

  window.addEventListener('openai:set_globals', readGlobals);
  readGlobals();

  /**
   * The bridge if its host has this capability; otherwise null.
   *
   * @param {'serverTools' | 'openLinks' | 'message'} offer
   */
  const bridgeWith = (offer) => (offers?.[offer] === undefined ? null : bridge);

  return {
    /** Whether any host shows this page. */
    isThere: () => bridge !== null || chatGpt() !== null,
    canCallTools: () => bridgeWith('serverTools') !== null || chatGpt()?.callTool !== undefined,
    canOpenLinks: () => bridgeWith('openLinks') !== null || chatGpt()?.openExternal !== undefined,
    canSendMessages: () =>
      bridgeWith('message') !== null || chatGpt()?.sendFollowUpMessage !== undefined,

    /**
     * @param {string} name
     * @param {Record<string, string>} parameters
     * @returns {Promise<ToolResult>}
     */
    callTool: async (name, parameters) => {
      const able = bridgeWith('serverTools');
      if (able !== null) return able.request('tools/call', { name, arguments: parameters });
      return toolResultOf(await chatGpt()?.callTool?.(name, parameters));
    },

    /**
     * Resolves with false if the host refuses.
     *
     * @param {URL} url
     */
    openLink: async ({ href }) => {
      const able = bridgeWith('openLinks');
      if (able !== null)
        return (await able.request('ui/open-link', { url: href })).isError !== true;
      await chatGpt()?.openExternal?.({ href });
      return chatGpt()?.openExternal !== undefined;
    },

    /**
     * Sends a message to the conversation on the person's behalf. Resolves with false if the host
     * refuses.
     *
     * @param {string} words
     */
    sendMessage: async (words) => {
      const able = bridgeWith('message');
      const content = [{ type: 'text', text: words }];
      if (able !== null)
        return (await able.request('ui/message', { role: 'user', content })).isError !== true;
      await chatGpt()?.sendFollowUpMessage?.({ prompt: words });
      return chatGpt()?.sendFollowUpMessage !== undefined;
    },

    /** @param {{ width: number, height: number }} size In CSS pixels. */
    reportSize: (size) => {
      if (offers !== null) bridge?.notify('ui/notifications/size-changed', size);
      chatGpt()?.notifyIntrinsicHeight?.(size.height);
    },
  };
}
