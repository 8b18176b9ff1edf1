import { UnreadableFileError } from './reader-result.ts';

/** A record of a PowerPoint stream ([MS-PPT] 2.3.1) or of a drawing ([MS-ODRAW] 2.2.1), without its header. */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly data: Buffer;
}

/** [MS-PPT] 2.13.24, and from 0xF000 on [MS-ODRAW] 2.2. */
export const TYPE = {
  document: 0x03e8,
  slide: 0x03ee,
  slideAtom: 0x03ef,
  notes: 0x03f0,
  slidePersist: 0x03f3,
  drawing: 0x040c,
  placeholder: 0x0bc3,
  outlineTextRef: 0x0f9e,
  textHeader: 0x0f9f,
  textChars: 0x0fa0,
  textBytes: 0x0fa8,
  slideNumberMark: 0x0fd8,
  slideList: 0x0ff0,
  userEdit: 0x0ff5,
  currentUser: 0x0ff6,
  dateTimeMark: 0x0ff7,
  rtfDateTimeMark: 0x1015,
  persistDirectory: 0x1772,
  drawingContainer: 0xf002,
  shapeGroup: 0xf003,
  shape: 0xf004,
  clientTextbox: 0xf00d,
  childAnchor: 0xf00f,
  clientData: 0xf011,
  tertiaryOptions: 0xf122,
} as const;

const HEADER_BYTES = 8;

/** Throws if a record is longer than its container. */
export function* recordsIn(container: Buffer): Generator<PptRecord> {
  for (let at = 0; at + HEADER_BYTES <= container.length;) {
    const record = recordAt(container, at);
    yield record;
    at += HEADER_BYTES + record.data.length;
  }
}

export function recordAt(stream: Buffer, at: number): PptRecord {
  const start = at + HEADER_BYTES;
  const end = start + stream.readUInt32LE(at + 4);
  if (end > stream.length) throw new UnreadableFileError('A record of the file is incomplete.');
  return {
    type: stream.readUInt16LE(at + 2),
    instance: stream.readUInt16LE(at) >> 4,
    data: stream.subarray(start, end),
  };
}

export function firstIn(container: Buffer, type: number): PptRecord | undefined {
  for (const record of recordsIn(container)) if (record.type === type) return record;
  return undefined;
}
