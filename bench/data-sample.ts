import { cryptoRandom, sha256Digest } from '../adapters/node/system.ts';
import { DOC_TYPES, type StoredObject } from '../ports/objects.ts';
import { OBJECT_KINDS, type ObjectKind } from '../ports/text-extraction.ts';
import type { Name } from './data-rows.ts';

export const MINUTE_MS = 60_000;
export const FOLDERS = 40;
const NAMES = 2_000;
/** One object per this many has a unique combination of kind and type. */
const RARE = 10_000;

export interface Blob {
  readonly blobId: string;
  readonly size: number;
  readonly sha256: string;
}

/** The parts from which samples are generated. */
export interface Sampled {
  readonly createdAt: number;
  readonly folders: readonly string[];
  readonly blobs: readonly Blob[];
}

/** Media type and extension. */
const TYPES: Readonly<Record<ObjectKind, readonly [mime: string, format: string]>> = {
  pdf: ['application/pdf', 'pdf'],
  document: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  spreadsheet: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  presentation: [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'pptx',
  ],
  text: ['text/plain', 'txt'],
  image: ['image/jpeg', 'jpg'],
  audio: ['audio/mpeg', 'mp3'],
  video: ['video/mp4', 'mp4'],
  archive: ['application/zip', 'zip'],
  email: ['message/rfc822', 'eml'],
  link: ['text/html', 'html'],
  note: ['text/markdown', 'md'],
  other: ['application/octet-stream', ''],
};

/** The same numbers in every run (mulberry32). */
export function randomAt(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An uneven distribution: the first of the list is drawn three times as often as the middle. */
const drawn = <T>(from: readonly [T, ...T[]], random: () => number): T =>
  from[Math.floor(random() ** 1.6 * from.length)] ?? from[0];

/** Environment variable: prevents the purge of old data. */
export const KEEP_TRASH = { TRASH_DAYS: '36500' };

/**
 * Object number `i`. Kind, type, folder and state are drawn independently, so that every combination occurs: half are
 * in no folder, one of fifty is hidden, one of twenty in the trash.
 */
export function sample(
  i: number,
  createdAt: number,
  random: () => number = randomAt(i),
  { folders, blobs }: Partial<Sampled> = {},
): StoredObject {
  const rare = i % RARE === 17;
  const kind = rare ? 'archive' : drawn(OBJECT_KINDS, random);
  const docType = rare ? 'medical' : drawn(DOC_TYPES, random);
  const [mime, format] = TYPES[kind];
  const title = `Document ${i % NAMES} of the bench`;
  const filename = format === '' ? title : `${title}.${format}`;
  const trashed = folders && !rare && random() < 0.05;
  const folder = folders && random() < 0.5 ? drawn(folders as [string], random) : null;
  const blob = blobs?.[i % blobs.length];
  return {
    id: cryptoRandom.uuid(),
    filename,
    originalName: filename,
    aiName: '',
    nameSource: 'original',
    nameLocked: false,
    kind,
    mime,
    format,
    size: blob?.size ?? 10_000 + i,
    contentHash: blob?.sha256 ?? sha256Digest.digest(String(i)),
    blobId: blob?.blobId ?? cryptoRandom.uuid(),
    version: 1,
    status: 'ready',
    error: null,
    isHidden: i % 50 === 7,
    // Served with KEEP_TRASH, since the service would purge objects older than a month.
    deletedAt: trashed ? createdAt : null,
    collectionId: folder,
    categories: [],
    docType: kind === 'archive' && !rare && docType === 'medical' ? 'other' : docType,
    title,
    summary: 'A sentence of typical length about the content of the document.',
    meetingDate: null,
    suggestedName: null,
    suggestedReason: null,
    suggestedCollectionId: null,
    folderAnswered: false,
    sourceUrl: null,
    textState: kind === 'pdf' || kind === 'document' || kind === 'text' ? 'available' : 'absent',
    hasCorrections: false,
    needsManual: false,
    createdAt,
    updatedAt: createdAt,
  };
}

/** Records the name of the object. */
export function named(names: Map<string, Name>, { filename, title }: StoredObject): void {
  if (!names.has(filename)) names.set(filename, { filename, title });
}
