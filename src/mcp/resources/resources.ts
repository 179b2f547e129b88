import type { Conversation } from '../conversation.ts';
import { CONTEXT_TEMPLATE, contextEntries, contexts } from './contexts.ts';
import { landing, landingEntry } from './landing.ts';
import type { Resource, ResourceContents } from './resource.ts';
import { WIDGET_ENTRY, widget } from './widget.ts';

/** Contexts per page of `resources/list`. */
const PAGE = 100;

const RESOURCES: readonly Resource[] = [widget, landing, contexts];

/** The resources: the widget, the organization's landing page, and its contexts in pages. */
export async function listResources(conversation: Conversation, after: number): Promise<object> {
  const { entries, next } = await contextEntries(conversation, { after, limit: PAGE });
  const first = after === 0 ? [WIDGET_ENTRY, landingEntry(conversation.organization)] : [];
  const nextCursor = next === null ? {} : { nextCursor: String(next) };
  return { resources: [...first, ...entries], ...nextCursor };
}

export function listTemplates(): object {
  return { resourceTemplates: [CONTEXT_TEMPLATE] };
}

/** The contents at a URI; null if the organization has nothing there. */
export async function readResource(
  conversation: Conversation,
  uri: string,
): Promise<ResourceContents | null> {
  for (const resource of RESOURCES) {
    const contents = await resource.read(conversation, uri);
    if (contents !== null) return contents;
  }
  return null;
}
