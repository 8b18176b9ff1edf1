import { openZip, type Zip } from './zip.ts';
import { PROTECTED, Refusal } from './reading.ts';
import { xmlTree, type XmlElement } from './xml.ts';

export interface OpenDocument {
  readonly zip: Zip;
  /** From its properties, '' without one. */
  readonly title: string;
}

/** A package of OpenDocument (ODF 1.3 part 2). With a password, its manifest says how each part is encrypted. */
export async function openDocument(bytes: Uint8Array): Promise<OpenDocument> {
  const zip = await openZip(bytes);
  const manifest = await partOf(zip, 'META-INF/manifest.xml');
  if (manifest?.first('manifest:encryption-data') !== undefined)
    throw new Refusal(PROTECTED, { sound: true });
  const meta = await partOf(zip, 'meta.xml');
  return { zip, title: meta?.first('dc:title')?.textContent.trim() ?? '' };
}

/** A part as a tree; undefined when it is not there. */
export const partOf = async (zip: Zip, name: string): Promise<XmlElement | undefined> =>
  zip.has(name) ? xmlTree(await zip.read(name)) : undefined;
