/**
 * The argument of `new Worker` for `prepare-rows-worker.ts`. In a compiled binary that entry point has
 * another name, so its build replaces this module.
 */
export const preparerThread = (): string =>
  new URL('./prepare-rows-worker.ts', import.meta.url).href;
