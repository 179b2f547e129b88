import { fileURLToPath } from 'node:url';

/** The project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const DEPENDENCIES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
