/**
 * Measures the built-in enrichment on labelled documents: `npm run bench:enrichment [-- --wrong]`. Prints precision
 * and recall per document type with its confusions, and the share of entities found. `--wrong` lists the
 * misclassified documents.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { enrich, ENTITY_KINDS } from '../core/enrichment/index.ts';
import { readSamples, SAMPLE_PARTS, type SamplePart } from './enrichment-samples.ts';

const scheduler = { yield: () => Promise.resolve() };
const rest = { title: '', pages: 1, addedAt: Date.UTC(2024, 5, 15) };
const { values } = parseArgs({ options: { wrong: { type: 'boolean', default: false } } });

const share = (part: number, whole: number): string =>
  whole === 0 ? '   –' : (part / whole).toFixed(2).padStart(4);

async function types(part: SamplePart): Promise<void> {
  const samples = readSamples(part);
  const told: { readonly is: string; readonly as: string; readonly name: string }[] = [];
  const began = performance.now();
  for (const sample of samples) {
    const { docType } = await enrich(scheduler, { ...sample, ...rest });
    told.push({ is: sample.docType, as: docType, name: sample.filename });
  }
  const ms = (performance.now() - began) / samples.length;
  const right = told.filter((each) => each.is === each.as).length;
  console.log(
    `\n${part}: ${right} of ${told.length} right, accuracy ${share(right, told.length).trim()}, ${ms.toFixed(1)} ms a document`,
  );
  console.log('type              documents  precision  recall  taken for');
  for (const type of [...new Set(told.flatMap((each) => [each.is, each.as]))].sort()) {
    const here = told.filter((each) => each.is === type);
    const called = told.filter((each) => each.as === type);
    const hits = here.filter((each) => each.as === type).length;
    const others = here.filter((each) => each.as !== type);
    const counts = [...Map.groupBy(others, (each) => each.as)].map(
      ([as, list]) => `${as} ${list.length}`,
    );
    console.log(
      `${type.padEnd(18)}${String(here.length).padStart(9)}${share(hits, called.length).padStart(11)}${share(hits, here.length).padStart(8)}  ${counts.join(', ')}`,
    );
    if (values.wrong) for (const each of others) console.log(`    ${each.name} → ${each.as}`);
  }
}

type Labelled = Readonly<Record<(typeof ENTITY_KINDS)[number], readonly string[]>> & {
  readonly language: string;
  readonly text: string;
};

async function entities(): Promise<void> {
  const path = new URL('../contract-tests/samples/entities.json', import.meta.url);
  const samples = JSON.parse(readFileSync(path, 'utf8')) as readonly Labelled[];
  const found = await Promise.all(
    samples.map(async ({ text, language }) => {
      const file = { kind: 'pdf', format: 'pdf', filename: 'a.pdf' } as const;
      const created = await enrich(scheduler, { ...rest, ...file, text, language });
      return created.entities as Readonly<Record<string, readonly string[]>>;
    }),
  );
  console.log(
    `\nentities in ${samples.length} texts\nkind             labelled  precision  recall`,
  );
  for (const kind of ENTITY_KINDS) {
    let [labelled, listed, hits] = [0, 0, 0];
    samples.forEach((sample, i) => {
      const here = found[i]?.[kind] ?? [];
      labelled += sample[kind].length;
      listed += here.length;
      hits += here.filter((each) => sample[kind].includes(each)).length;
      if (!values.wrong) return;
      const missed = sample[kind].filter((each) => !here.includes(each));
      const more = here.filter((each) => !sample[kind].includes(each));
      if (missed.length + more.length > 0)
        console.log(`    missed ${JSON.stringify(missed)}, made up ${JSON.stringify(more)}`);
    });
    console.log(
      `${kind.padEnd(17)}${String(labelled).padStart(8)}${share(hits, listed).padStart(11)}${share(hits, labelled).padStart(8)}`,
    );
  }
}

for (const part of SAMPLE_PARTS) await types(part);
await entities();
