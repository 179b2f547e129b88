import type { Buildable } from './peers.ts';

/** Where a server is started. */
export interface Place {
  /** Folder where it was built. */
  readonly home: string;
  /** Folder that it may write to. It stays when the server is stopped. */
  readonly work: string;
  /** For requests. */
  readonly port: number;
  /** For whatever else it listens to. */
  readonly otherPort: number;
}

/** A search server and how a program talks to it. Requests throw unless it answers 2xx. */
export interface SearchServer extends Buildable {
  /** The command that runs it in the foreground. Called for every start. */
  command(place: Place): { readonly command: string[]; readonly env: Record<string, string> };
  /** Makes an empty index whose names count three times as much as descriptions. */
  create(origin: string): Promise<void>;
  /** Adds offerings, one a line. The number of the first makes their ids. */
  add(origin: string, lines: readonly string[], first: number): Promise<void>;
  /** Makes what was added searchable, durably. */
  publish(origin: string): Promise<void>;
  /** Brings the index into the form in which it is fastest. */
  settle(origin: string): Promise<void>;
  /** A complete request for the best 20, with what is stored of them. */
  request(question: string): Uint8Array;
  /** Ids in an answer, best first. */
  idsIn(body: string): string[];
}
