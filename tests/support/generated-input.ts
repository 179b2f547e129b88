import fc from 'fast-check';
import { SEED } from './seed.ts';

/* Runs before every test file, see bunfig.toml. */
fc.configureGlobal({ seed: SEED });
