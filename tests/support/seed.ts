/** Seed of a test's random data. Test names show it, so that a run can be repeated: `VITRINE_TEST_SEED=7`. */
export const SEED = Number(process.env['VITRINE_TEST_SEED'] ?? Date.now() % 2 ** 31);
