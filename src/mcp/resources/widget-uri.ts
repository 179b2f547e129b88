/** Where hosts find the cards that show offerings. Never changes: hosts remember it. */
export const WIDGET_URI = 'ui://vitrine/offerings.html';

/** A page of MCP Apps. */
export const WIDGET_TYPE = 'text/html;profile=mcp-app';
