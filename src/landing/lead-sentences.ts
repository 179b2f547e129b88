/** Matches a first sentence. A shorter match is more likely to end at an abbreviation. */
const SENTENCE = /^.{12,}?[.!?…](?=\s|$)/u;

/** Rows of a table that a summary contains. */
const ROWS_MAX = 3;

const HEADING = /^ {0,3}#{1,6}(?:[ \t]+(.*?))?[ \t]*#*$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]+$/;

interface Section {
  readonly heading: string;
  readonly lines: string[];
}

/**
 * A summary of a Markdown text, without markup: each section's heading with its first sentence, list
 * items or rows. Contains as many sections as fit into `limit` characters, and at least the first.
 */
export function leadSentences(markdown: string, limit: number): string {
  let told = '';
  for (const { heading, lines } of sectionsOf(markdown)) {
    const gist = gistOf(lines);
    if (gist === '') continue;
    const label = /[?!]$/.test(heading) ? heading : heading.replace(/[:.]*$/, ':');
    const sentence = /[.!?…]$/.test(gist) ? gist : `${gist}.`;
    const parts = [told, heading === '' ? '' : label, sentence];
    const next = parts.filter((part) => part !== '').join(' ');
    if (told !== '' && next.length > limit) break;
    told = next;
  }
  return told;
}

/** The first sentence of a text, or the whole text if no sentence ends. */
export function firstSentence(text: string): string {
  return SENTENCE.exec(text)?.[0] ?? text;
}

/** Drops a heading above all others: it is the text's title, which the reader has already seen. */
function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [{ heading: '', lines: [] }];
  for (const line of markdown.split('\n')) {
    const heading = HEADING.exec(line);
    if (heading === null) sections.at(-1)!.lines.push(line);
    else
      sections.push({
        heading: /^ {0,3}#[ \t]/.test(line) ? '' : plain(heading[1] ?? ''),
        lines: [],
      });
  }
  return sections;
}

function gistOf(lines: readonly string[]): string {
  const start = lines.findIndex((line) => line.trim() !== '');
  if (start < 0) return '';
  const blank = lines.findIndex((line, at) => at > start && line.trim() === '');
  const block = lines.slice(start, blank < 0 ? lines.length : blank);
  if (block.every((line) => TABLE_ROW.test(line))) return tableGist(block);
  if (LIST_ITEM.test(block[0]!)) {
    const items = block.filter((line) => LIST_ITEM.test(line));
    return items.map((line) => plain(line.replace(LIST_ITEM, '')).replace(/[.;]$/, '')).join('; ');
  }
  return firstSentence(plain(block.join(' ')));
}

/** `Germany: Parcel 4.90 €, Free from 59 €; Austria: …` */
function tableGist(lines: readonly string[]): string {
  const [head = [], ...rows] = lines
    .filter((line) => !TABLE_RULE.test(line))
    .map((line) => line.trim().slice(1, -1).split('|').map(plain));
  return rows
    .slice(0, ROWS_MAX)
    .map(([first, ...cells]) => {
      const told = cells.map((cell, at) => `${head[at + 1] ?? ''} ${cell}`.trim());
      return `${first}: ${told.join(', ')}`;
    })
    .join('; ');
}

/** Removes the markup of emphasis, code, links, images and tags. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\][]{0,300})\]\([^)]{0,2048}\)/g, '$1')
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, '')
    .replace(/(\*\*|__|[*`])(?=\S)(.+?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim();
}
