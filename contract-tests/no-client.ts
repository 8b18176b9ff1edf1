import type { Client } from '../core/shared/caller.ts';

/** The client of specs that use the core without HTTP. */
export const NO_CLIENT: Client = { address: '127.0.0.1', userAgent: 'spec' };
