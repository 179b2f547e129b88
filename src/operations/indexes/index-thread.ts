/**
 * The argument of `new Worker` for `build-index-worker.ts`. In a compiled binary that entry point has
 * another name, so its build replaces this module.
 */
export const indexThread = (): string => new URL('./build-index-worker.ts', import.meta.url).href;
