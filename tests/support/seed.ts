/** Of what a test makes by chance. A name that shows it tells how to make the same again: `VITRINE_TEST_SEED=7`. */
export const SEED = Number(process.env['VITRINE_TEST_SEED'] ?? Date.now() % 2 ** 31);
