/*
 * Seam: ChatGPT's `window.openai`. ChatGPT sets it before or after this page runs, and announces
 * changes with `openai:set_globals`.
 */

/**
 * @typedef {object} ChatGpt
 * @property {unknown} [toolInput]
 * @property {unknown} [toolOutput] The tool's structured content; null until it arrives.
 * @property {unknown} [toolResponseMetadata] The tool's `_meta`, which the model does not see.
 * @property {unknown} [theme]
 * @property {unknown} [locale]
 * @property {unknown} [displayMode]
 * @property {{ insets?: unknown }} [safeArea]
 * @property {(name: string, parameters: object) => Promise<unknown>} [callTool]
 * @property {(target: { href: string }) => unknown} [openExternal]
 * @property {(message: { prompt: string }) => unknown} [sendFollowUpMessage]
 * @property {(height: number) => unknown} [notifyIntrinsicHeight]
 */

/** @returns {ChatGpt | null} */
export function chatGpt() {
  const found = /** @type {{ openai?: unknown }} */ (/** @type {unknown} */ (window)).openai;
  return typeof found === 'object' && found !== null ? found : null;
}

/**
 * ChatGPT's globals under the names that MCP Apps uses.
 *
 * @param {ChatGpt} globals
 */
export function hostContextOf({ theme, locale, displayMode, safeArea }) {
  return { theme, locale, displayMode, safeAreaInsets: safeArea?.insets };
}

/**
 * Normalizes a `callTool` response: older versions of ChatGPT return `{ result: text }` instead of the tool's result.
 *
 * @param {any} answer
 */
export function toolResultOf(answer) {
  if (typeof answer?.result !== 'string') return answer ?? {};
  try {
    return { structuredContent: JSON.parse(answer.result) };
  } catch {
    return { content: [{ type: 'text', text: answer.result }] };
  }
}
