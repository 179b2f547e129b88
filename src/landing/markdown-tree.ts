import { fromMarkdown } from 'mdast-util-from-markdown';

/** A node of a Markdown document (mdast), as far as it is needed to show it. */
export interface MarkdownNode {
  readonly type: string;
  /** Of texts, code and HTML. */
  readonly value?: string | undefined;
  /** Of links: anything a catalogue says. */
  readonly url?: string | undefined;
  /** Of headings, from 1. */
  readonly depth?: number | undefined;
  readonly ordered?: boolean | null | undefined;
  readonly children?: readonly MarkdownNode[] | undefined;
}

/** The document as CommonMark has it. HTML in it stays text, in nodes of the type `html`. */
export function parseMarkdown(markdown: string): MarkdownNode {
  return plain(fromMarkdown(markdown));
}

function plain({ type, value, url, depth, ordered, children }: MarkdownNode): MarkdownNode {
  return {
    type,
    ...(value !== undefined && { value }),
    ...(url !== undefined && { url }),
    ...(depth !== undefined && { depth }),
    ...(ordered != null && { ordered }),
    ...(children !== undefined && { children: children.map(plain) }),
  };
}
