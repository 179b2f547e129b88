import { parseDocument } from 'yaml';
import type { Context } from '../../domain/catalog.ts';
import { isForbiddenText } from '../../domain/text.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import { readLines } from '../bytes/lines.ts';
import { Findings } from '../record/findings.ts';
import { isJsonObject, type JsonObject } from '../record/json-fields.ts';
import type { CatalogFormat, CatalogRow, CatalogSource, FileHead } from '../record/reader.ts';
import {
  CONTEXT_TEXT_MAX,
  cut,
  EXTERNAL_ID_MAX,
  longText,
  NAME_MAX,
  parseInstant,
  shortText,
} from '../record/values.ts';

/** Longest front matter, in characters. */
const FRONT_MATTER_MAX = 16_384;
/** Most characters of a file that are read; fewer are stored. */
const FILE_MAX = 2 * 1024 * 1024;

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n?^(?:---|\.\.\.)[ \t]*(?:\n|$)/m;
const FIRST_HEADING = /^#[ \t]+(.+?)[ \t]*#*$/m;

/** One Markdown file is one context: a policy, an FAQ, a story. */
export const markdownContexts: CatalogFormat = {
  name: 'markdown',
  detect: detectMarkdown,
  read: readMarkdown,
};

/**
 * Detects Markdown only by its name: scripts, settings and source code have lines that look like headings
 * and must not become a shop's texts.
 */
function detectMarkdown({ text: head, fileName }: FileHead): string | null {
  if (!/\.(?:md|markdown)(?:\.gz)?$/i.test(fileName)) return null;
  const text = head.replace(/^\ufeff/, '').trimStart();
  if (text === '' || text.includes('\0') || /^[[{<]/.test(text)) return null;
  return 'a name that ends in .md';
}

async function* readMarkdown(source: CatalogSource): AsyncGenerator<CatalogRow> {
  const raw = { columns: [], rows: [] };
  const position = { file: source.name, line: 1, record: 1, raw };
  const findings = new Findings(position);
  const text = await readText(source, findings);
  const item = text === null ? null : readContext(text, source.name, findings);
  for (const fault of findings.faults) yield { fault };
  if (item !== null) yield { item, ...position };
}

/** The whole file, truncated at the limit; null with the reason in `findings`. */
async function readText(source: CatalogSource, findings: Findings): Promise<string | null> {
  const lines: string[] = [];
  let length = 0;
  for await (const { number, text, problem } of readLines(source.bytes)) {
    if (problem === null && !isForbiddenText(text)) {
      lines.push(text);
      length += text.length + 1;
      if (length > FILE_MAX) break;
      continue;
    }
    findings.moveTo({ line: number, record: 1 });
    const code = problem ?? 'forbidden_text';
    findings.error({ column: null, code, message: UNREADABLE[code] });
    return null;
  }
  return lines.join('\n');
}

const UNREADABLE = {
  invalid_utf8: 'The file is not UTF-8.',
  line_too_long: 'The file has a line longer than 10 MiB.',
  forbidden_text: 'The file contains a NUL.',
} as const;

function readContext(text: string, fileName: string, findings: Findings): Context | null {
  const match = text.startsWith('---') ? FRONT_MATTER.exec(text) : null;
  const matter = new FrontMatter(match?.[1] ?? '', findings);
  const body = match === null ? text : text.slice(match[0].length);
  const path = fileName.replaceAll('\\', '/').replace(/\.[^./]*$/, '');
  const externalId = matter.line('id') ?? shortText(path);
  if (cut(externalId, EXTERNAL_ID_MAX).isCut) {
    const message = `id is longer than ${EXTERNAL_ID_MAX} characters.`;
    findings.error({ column: 'id', code: 'too_long', message });
  } else {
    findings.externalId = externalId;
  }
  const heading = FIRST_HEADING.exec(body)?.[1];
  const fallback = path.slice(path.lastIndexOf('/') + 1);
  const name = matter.line('title') ?? shortText(heading ?? fallback);
  const publicUrl = matter.parsed('url', parseWebUrl, 'is not an http(s) URL.');
  const column = matter.line('publishedAt') === null ? 'date' : 'publishedAt';
  const publishedAt = matter.parsed(column, parseInstant, 'is not an RFC 3339 date or time.');
  const description = cut(longText(body), CONTEXT_TEXT_MAX);
  if (description.isCut) {
    const message = `The text was cut to ${CONTEXT_TEXT_MAX} characters.`;
    findings.warning({ column: null, code: 'too_long', message });
  }
  if (findings.isRejected) return null;
  return {
    type: 'context',
    externalId,
    name: cut(name, NAME_MAX).text,
    description: description.text,
    publicUrl,
    publishedAt,
  };
}

/** The YAML before a text. Refuses aliases, because a few lines of them can expand to gigabytes. */
class FrontMatter {
  readonly #values: JsonObject;
  readonly #findings: Findings;

  constructor(yaml: string, findings: Findings) {
    this.#findings = findings;
    const values = yaml.trim() === '' ? {} : parseYaml(yaml);
    this.#values = values ?? {};
    if (values !== null) return;
    const message =
      'The front matter must be plain YAML members of at most 16 KiB, without aliases.';
    findings.error({ column: null, code: 'invalid_front_matter', message });
  }

  /** Reads numbers as text, as written: `id: 42`. */
  line(column: string): string | null {
    const value = this.#values[column] ?? null;
    if (typeof value === 'string') return shortText(value) || null;
    if (typeof value === 'number') return String(value);
    if (value !== null) {
      this.#findings.error({ column, code: 'wrong_type', message: `${column} must be text.` });
    }
    return null;
  }

  parsed(column: string, parse: (text: string) => string | null, complaint: string): string | null {
    const text = this.line(column);
    const value = text === null ? null : parse(text);
    if (text !== null && value === null) {
      const code = column === 'url' ? 'invalid_url' : 'invalid_time';
      this.#findings.warning({ column, code, message: `${column} ${complaint}` });
    }
    return value;
  }
}

/** Parses YAML as an object; null if it is anything else. */
function parseYaml(yaml: string): JsonObject | null {
  if (yaml.length > FRONT_MATTER_MAX) return null;
  try {
    const document = parseDocument(yaml, { schema: 'core', logLevel: 'silent' });
    if (document.errors.length > 0) return null;
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return isJsonObject(value) ? value : null;
  } catch {
    // toJS throws on an alias, and the parser on nesting that exceeds the stack.
    return null;
  }
}
