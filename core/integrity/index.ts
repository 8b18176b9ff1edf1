export { createBlobReader } from './blob-reader.ts';
export { checkIntegrity, isDamage, type IntegrityDeps, type IntegrityOptions } from './inspect.ts';
