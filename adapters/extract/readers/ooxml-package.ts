import { startsWith } from '../encoding.ts';
import { PROTECTED, UnreadableFileError } from './reader-result.ts';
import { xmlTree } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

/** An Office Open XML package (ECMA-376 part 2). */
export async function openPackage(bytes: Uint8Array): Promise<Zip> {
  // If encrypted, the package is a stream inside a compound file ([MS-OFFCRYPTO] 2.3.1).
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new UnreadableFileError(PROTECTED, { sound: true });
  return openZip(bytes);
}

export interface Relation {
  /** Last part of its type, equal in the transitional and the strict variant. */
  readonly type: string;
  /** Name of the target part. */
  readonly target: string;
}

/** The internal targets of a part's relationships, by id. */
export async function relationsOf(zip: Zip, part: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const found = new Map<string, Relation>();
  if (!zip.has(name)) return found;
  const tree = await xmlTree(await zip.read(name));
  for (const { attributes } of tree.all('Relationship')) {
    const { Id = '', Type = '', Target = '', TargetMode = '' } = attributes;
    if (TargetMode !== 'External')
      found.set(Id, {
        type: Type.slice(Type.lastIndexOf('/') + 1),
        target: partName(folder, Target),
      });
  }
  return found;
}

/** A reference as the name of a zip entry; it cannot leave the zip. */
export function partName(folder: string, reference: string): string {
  const path = reference.startsWith('/') ? reference : `${folder}${reference}`;
  const names: string[] = [];
  for (const name of path.split('/'))
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  return names.join('/');
}

/** Dublin Core title of the package (ECMA-376 part 2 §11), '' if there is none. */
export async function packageTitle(zip: Zip): Promise<string> {
  if (!zip.has('docProps/core.xml')) return '';
  const tree = await xmlTree(await zip.read('docProps/core.xml'));
  return tree.first('dc:title')?.textContent.trim() ?? '';
}
