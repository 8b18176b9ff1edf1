import { Metadata } from '@tus/server';
import type { NewUpload } from '../../../core/uploads/index.ts';
import { InvalidInput } from '../../../core/shared/errors.ts';
import { ON_DUPLICATE } from '../../../ports/uploads.ts';
import { unprocessable } from '../pipeline/errors.ts';
import { missing, valueError, type Detail } from '../validation/detail.ts';
import { parseUuid } from '../validation/formats/uuid.ts';
import { invalidUpload } from './errors.ts';

const MAX_METADATA_LENGTH = 16_384;

type Values = Readonly<Record<string, string | null>>;

const locOf = (field: string) => ['header', 'upload-metadata', field];

/** The metadata as it was sent, parsed. */
export const parseStored = (metadata: string): Values =>
  metadata === '' ? {} : Metadata.parse(metadata);

/**
 * What `Upload-Metadata` says about a new file: `filename`, `filetype`, `collection_id`, `on_duplicate` and `relative_path`
 * (422, with all errors). Other keys are stored and sent back, and have no effect. The type is detected from the bytes.
 */
export function readMetadata(header: string): Omit<NewUpload, 'size'> {
  if (header.length > MAX_METADATA_LENGTH)
    throw invalidUpload(`Upload-Metadata is longer than ${MAX_METADATA_LENGTH}.`);
  const values = parseStored(header);
  const faults: Detail[] = [];
  const sent = (name: string) => (Object.hasOwn(values, name) ? values[name] : null) ?? undefined;
  const [filename, relativePath] = [sent('filename'), sent('relative_path')];
  const [folder, onDuplicate] = [sent('collection_id'), sent('on_duplicate')];
  if (filename === undefined && relativePath === undefined)
    faults.push(missing(locOf('filename'), values));
  const parsed = folder === undefined || folder === '' ? undefined : parseUuid(folder);
  if (parsed && 'error' in parsed)
    faults.push(valueError(locOf('collection_id'), parsed.error, folder));
  const duplicates = ON_DUPLICATE.find((each) => each === onDuplicate);
  if (onDuplicate !== undefined && duplicates === undefined)
    faults.push(
      valueError(locOf('on_duplicate'), `one of ${ON_DUPLICATE.join(', ')}`, onDuplicate),
    );
  if (faults.length > 0) throw unprocessable(faults);
  return {
    metadata: header,
    ...(filename !== undefined && { filename }),
    ...(relativePath !== undefined && { relativePath }),
    ...(parsed && 'uuid' in parsed && { collectionId: parsed.uuid }),
    ...(duplicates !== undefined && { onDuplicate: duplicates }),
  };
}

/** An error that the core found in a field, at its place in the header. */
export function atHeader(error: unknown, header: string): unknown {
  if (!(error instanceof InvalidInput)) return error;
  const { field, message } = error;
  const values = parseStored(header);
  const sent = Object.hasOwn(values, field) ? (values[field] ?? undefined) : undefined;
  return unprocessable([valueError(locOf(field), message, sent)]);
}
