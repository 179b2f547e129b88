import type { Conversation } from '../conversation.ts';

/** What `resources/read` answers of one address. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Something to be read besides the tools. */
export interface Resource {
  /** The contents at an address, null if it is none of this resource's. */
  read(conversation: Conversation, uri: string): Promise<ResourceContents | null>;
}

/** As in `resources/list`. */
export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}
