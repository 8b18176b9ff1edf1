import { readFileSync, writeFileSync } from 'node:fs';
import { openCompound } from '../../../adapters/extract/readers/compound-file.ts';
import { compoundOf } from '../hostile/compound.ts';

/**
 * Removes the preview of the first slide from presentations of LibreOffice, which is 430 KB and uncompressed:
 * `node without-preview.ts well.ppt`. Tests do not run it.
 */
const THUMBNAIL = 17;
const SUMMARY = '\u0005SummaryInformation';

for (const name of process.argv.slice(2)) {
  const file = openCompound(readFileSync(name));
  writeFileSync(
    name,
    compoundOf({
      'PowerPoint Document': file.read('PowerPoint Document'),
      'Current User': file.read('Current User'),
      [SUMMARY]: withoutThumbnail(file.read(SUMMARY)),
    }),
  );
}

/** The properties of the only set, in order, with the preview last ([MS-OLEPS] 2.20). */
function withoutThumbnail(summary: Buffer): Buffer {
  const set = summary.readUInt32LE(44);
  const count = summary.readUInt32LE(set + 4);
  for (let i = 0; i < count; i++) {
    const entry = set + 8 + i * 8;
    if (summary.readUInt32LE(entry) !== THUMBNAIL) continue;
    const cut = summary.subarray(0, set + summary.readUInt32LE(entry + 4));
    cut.writeUInt32LE(cut.length - set, set);
    // Its entry in the list becomes one without meaning: an empty name at the place of the set's size.
    cut.writeUInt32LE(0x7fff_ffff, entry);
    cut.writeUInt32LE(0, entry + 4);
    return cut;
  }
  return summary;
}
