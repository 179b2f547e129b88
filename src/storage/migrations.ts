import { init } from './migrations/0001-init.ts';
import { judgements } from './migrations/0008-judgements.ts';

/** Oldest first, embedded in the binary. Append only: a released entry is never edited. */
export const MIGRATIONS: readonly { readonly id: string; readonly sql: string }[] = [
  { id: '0001-init', sql: init },
  { id: '0008-judgements', sql: judgements },
];
