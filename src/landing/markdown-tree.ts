import { fromMarkdown } from 'mdast-util-from-markdown';

/** The part of an mdast node that is needed to display it. */
export interface MarkdownNode {
  readonly type: string;
  /** Set for text, code and HTML. */
  readonly value?: string | undefined;
  /** Set for links. Untrusted: it comes from the catalogue. */
  readonly url?: string | undefined;
  /** Set for headings, from 1. */
  readonly depth?: number | undefined;
  readonly ordered?: boolean | null | undefined;
  readonly children?: readonly MarkdownNode[] | undefined;
}

/** Parses CommonMark. HTML stays text, in nodes of type `html`. */
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
