import { init } from './migrations/0001-init.ts';
import { hits } from './migrations/0004-hits.ts';
import { landing } from './migrations/0005-landing.ts';

/** Oldest first, embedded in the binary. Append only: a released entry is never edited. */
export const MIGRATIONS: readonly { readonly id: string; readonly sql: string }[] = [
  { id: '0001-init', sql: init },
  { id: '0004-hits', sql: hits },
  { id: '0005-landing', sql: landing },
];
