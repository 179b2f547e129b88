import type { Conversation } from '../conversation.ts';

/** The contents that `resources/read` returns for a URI. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A resource or a template of resources. */
export interface Resource {
  /** The contents at a URI; null if the URI does not belong to this resource. */
  read(conversation: Conversation, uri: string): Promise<ResourceContents | null>;
}

/** The entry in `resources/list`. */
export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}
