/*
 * Seam: ChatGPT's `window.openai`, which it puts there before or after this page runs, and announces
 * changes of with `openai:set_globals`.
 */

/**
 * @typedef {object} ChatGpt
 * @property {unknown} [toolInput]
 * @property {unknown} [toolOutput] The tool's structured content, null until it is there.
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
 * Its globals under the names that MCP Apps has for them.
 *
 * @param {ChatGpt} globals
 */
export function hostContextOf({ theme, locale, displayMode, safeArea }) {
  return { theme, locale, displayMode, safeAreaInsets: safeArea?.insets };
}

/**
 * `callTool` answered with `{ result: text }` before it answered with the tool's own result.
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
