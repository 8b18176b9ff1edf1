import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

/** The browser spec whose pictures become those of the README. */
export const PICTURES_SPEC = 'contract-tests/app/demo.spec.ts';
/** Pictures of that spec begin with it. */
const PREFIX = 'demo-';
/** The README shows many of them at once. */
export const MAX_PICTURE_BYTES = 150_000;
const QUALITIES = [90, 84, 78, 70, 60];

/** Writes the pictures that the spec has made into the folder of the README, as WebP, and removes those that it no longer makes. */
export async function writeReadmePictures(from: string, to: string): Promise<readonly string[]> {
  const names = readdirSync(from).filter((name) => name.startsWith(PREFIX));
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const written: string[] = [];
  for (const name of names.sort()) {
    const target = `${name.slice(PREFIX.length, -'.png'.length)}.webp`;
    writeFileSync(join(to, target), await smallWebp(join(from, name)));
    written.push(target);
  }
  return written;
}

/** The best quality whose file is small enough. */
async function smallWebp(file: string): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const bytes = await sharp(file).webp({ quality, effort: 6 }).toBuffer();
    if (bytes.length < MAX_PICTURE_BYTES) return bytes;
  }
  throw new Error(`${file} is too detailed for ${MAX_PICTURE_BYTES} bytes.`);
}
