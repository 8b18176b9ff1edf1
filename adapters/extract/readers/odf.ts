import { openZip, type Zip } from './zip.ts';
import { PROTECTED, UnreadableFileError } from './reader-result.ts';
import { xmlTree, type XmlElement } from './xml.ts';

export interface OpenDocument {
  readonly zip: Zip;
  /** Title from its properties, '' if there is none. */
  readonly title: string;
}

/** An OpenDocument package (ODF 1.3 part 2). If it is encrypted, its manifest describes how. */
export async function openDocument(bytes: Uint8Array): Promise<OpenDocument> {
  const zip = await openZip(bytes);
  const manifest = await partOf(zip, 'META-INF/manifest.xml');
  if (manifest?.first('manifest:encryption-data') !== undefined)
    throw new UnreadableFileError(PROTECTED, { sound: true });
  const meta = await partOf(zip, 'meta.xml');
  return { zip, title: meta?.first('dc:title')?.textContent.trim() ?? '' };
}

/** A part as a tree; undefined if it is missing. */
export const partOf = async (zip: Zip, name: string): Promise<XmlElement | undefined> =>
  zip.has(name) ? xmlTree(await zip.read(name)) : undefined;
