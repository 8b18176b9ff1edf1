import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseUuid } from './uuid.ts';

/** Marks of the schema language that say something to other readers and nothing to the validator. */
const MARKS = ['optional', 'secret', 'clearable', 'example'];

// Control characters, and the marks that turn the reading direction of what follows them.
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const UNSAFE_IN_NAMES = /[/\\\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Why a text can not be a filename, or nothing. */
export function filenameFault(name: string): string | undefined {
  if (name === '.' || name === '..') return `a filename is not ${JSON.stringify(name)}`;
  if (UNSAFE_IN_NAMES.test(name))
    return 'a filename holds no slash, no backslash, no control character and no mark that turns the reading direction';
  return undefined;
}

/** A validator that finds every fault and knows the project's own keywords. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false });
  ajv.addVocabulary(MARKS);
  ajv.addFormat('uuid', { type: 'string', validate: (text: string) => 'uuid' in parseUuid(text) });
  ajv.addFormat('date-time', {
    type: 'string',
    validate: (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text),
  });
  ajv.addKeyword({
    keyword: 'filenameText',
    type: 'string',
    schema: false,
    validate: (name: string) => filenameFault(name) === undefined,
  });
  // Trimming happens before; the keyword only marks where.
  ajv.addKeyword({ keyword: 'trimmed', schemaType: 'boolean' });
  return ajv;
}
