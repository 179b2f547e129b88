/**
 * The argument of `new Worker` for `read-rows-worker.ts`. In a compiled binary that entry point has
 * another name, so its build replaces this module.
 */
export const readerThread = (): string => new URL('./read-rows-worker.ts', import.meta.url).href;
