import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root | Root['children'][number];

/** Parses GitHub's dialect: CommonMark with tables, strikethrough, footnotes, tasks and autolinks. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** The tree's nodes, parents first. */
export function allNodes(node: Node): Node[] {
  return [node, ...('children' in node ? node.children.flatMap(allNodes) : [])];
}

/** The visible text, without markup. */
export function visibleText(node: Node): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(visibleText).join('') : '';
}
