/** A rule of ESLint. */
export declare const noPlainLookup: object;
