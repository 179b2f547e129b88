/** URI of the widget that shows offerings. It never changes, because hosts cache it. */
export const WIDGET_URI = 'ui://vitrine/offerings.html';

/** The media type of an MCP Apps page. */
export const WIDGET_TYPE = 'text/html;profile=mcp-app';
