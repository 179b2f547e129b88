import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root | Root['children'][number];

/** As GitHub reads it: CommonMark with tables, strikethrough, footnotes, tasks and bare addresses as links. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** The tree's nodes, parents first. */
export function allNodes(node: Node): Node[] {
  return [node, ...('children' in node ? node.children.flatMap(allNodes) : [])];
}

/** What a reader sees, without marks. */
export function visibleText(node: Node): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(visibleText).join('') : '';
}
