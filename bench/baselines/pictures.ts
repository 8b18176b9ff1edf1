import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import sharp, { type Sharp } from 'sharp';

/**
 * The baseline of editing images: sharp alone, in memory. Takes a file; for each line `OP COUNT AT-ONCE` on its input
 * it prints the seconds needed.
 */
const [file = ''] = process.argv.slice(2);
const picture = await readFile(file);
const { chromaSubsampling = '' } = await sharp(picture).metadata();
const SAME = { quality: 90, chromaSubsampling } as const;

const OPERATIONS: Readonly<Record<string, (it: Sharp) => Sharp>> = {
  compress: (it) => it.jpeg({ ...SAME, quality: 70 }),
  resize: (it) => it.resize(2_000, 1_500).jpeg(SAME),
  rotate: (it) => it.rotate(90).jpeg(SAME),
  flip: (it) => it.flop().jpeg(SAME),
  crop: (it) => it.extract({ left: 400, top: 300, width: 3_200, height: 2_400 }).jpeg(SAME),
};

sharp.cache(false);
for await (const line of createInterface({ input: process.stdin })) {
  const [op = '', count = '1', atOnce = '1'] = line.split(' ');
  const edit = OPERATIONS[op];
  if (!edit) throw new Error(`There is no ${op}.`);
  const from = performance.now();
  let left = Number(count);
  const lane = async (): Promise<void> => {
    while (left-- > 0) await edit(sharp(picture).autoOrient().keepIccProfile()).toBuffer();
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, lane));
  process.stdout.write(`${(performance.now() - from) / 1_000}\n`);
}
