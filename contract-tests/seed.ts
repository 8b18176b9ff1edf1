const DEFAULT_SEED = 20_261_128;

/**
 * The seed of every random choice that a spec makes. It is the same in each run, so that the same tree gets the same
 * verdict. `npm run explore` sets SPEC_SEED to new ones; with SPEC_SEED its findings are repeated.
 */
export const SPEC_SEED = Number(process.env['SPEC_SEED'] ?? DEFAULT_SEED);
if (!Number.isSafeInteger(SPEC_SEED)) throw new Error('SPEC_SEED: an integer is expected.');
