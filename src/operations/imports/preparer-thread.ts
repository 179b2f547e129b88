/**
 * What `new Worker` takes to start `prepare-rows-worker.ts`. A compiled binary has it as an entry
 * point under another name: its build replaces this module.
 */
export const preparerThread = (): string =>
  new URL('./prepare-rows-worker.ts', import.meta.url).href;
