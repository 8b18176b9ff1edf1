import type { components } from '../../../api/schema.js';

export type Bot = components['schemas']['Bot'];
