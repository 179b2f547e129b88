import { writingDirection } from './wording.js';

/** The host's CSS variables that our styles use. */
const STYLE_NAME = /^--(?:color|font|border|shadow)-[a-z0-9-]+$/;

/**
 * Colours that the host must define before we use any of them: half a palette could be unreadable.
 */
const PALETTE = [
  '--color-background-primary',
  '--color-background-secondary',
  '--color-background-inverse',
  '--color-text-primary',
  '--color-text-secondary',
  '--color-text-inverse',
];

/**
 * Applies the host's theme. Anything that the host leaves out stays unchanged.
 *
 * @param {Record<string, any>} context MCP Apps' host context, or a change to it.
 */
export function applyContext({ theme, displayMode, styles, safeAreaInsets }) {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  if (typeof displayMode === 'string') root.dataset['display'] = displayMode;
  applyVariables(styles?.variables ?? {});
  if (typeof styles?.css?.fonts === 'string') applyFonts(styles.css.fonts);
  for (const side of ['top', 'right', 'bottom', 'left']) {
    const inset = safeAreaInsets?.[side];
    if (Number.isFinite(inset)) root.style.setProperty(`--inset-${side}`, `${inset}px`);
  }
}

/** @param {string} locale */
export function applyLocale(locale) {
  document.documentElement.dir = writingDirection(locale);
}

/** @param {Record<string, unknown>} variables */
function applyVariables(variables) {
  const isWhole = PALETTE.every((name) => typeof variables[name] === 'string');
  for (const [name, value] of Object.entries(variables)) {
    const isOurs = STYLE_NAME.test(name) && (isWhole || !name.startsWith('--color'));
    // A url() in a value would send a request to another server.
    if (isOurs && typeof value === 'string' && !/url|image|src/i.test(value))
      document.documentElement.style.setProperty(name, value);
  }
}

/** @param {string} css The host's own `@font-face` rules. */
function applyFonts(css) {
  const sheet = document.getElementById('fonts') ?? document.createElement('style');
  sheet.id = 'fonts';
  sheet.textContent = css;
  document.head.append(sheet);
}
