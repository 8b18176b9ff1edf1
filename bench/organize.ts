/**
 * Measures the folder planner on labelled objects: `npm run bench:organize`. Prints precision and recall, the errors,
 * and the time for a hundred thousand objects.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { planFolders, type ObjectFeatures } from '../core/organize/index.ts';
import { figuresOf } from './organize-figures.ts';
import { firm, household } from './organize-test-set.ts';
import { chosenBy } from './organize-samples.ts';
import type { Workspace } from './organize-set.ts';

const MANY = 100_000;
const { samples, shelves, themes } = chosenBy;

async function measure(name: string, workspace: Workspace): Promise<void> {
  const { samples, ...places } = workspace;
  const cards = samples.map(({ card }) => card);
  const plan = await planFolders(
    { scheduler: { yield: () => turn() } },
    { cards, ...places, scope: 'uncategorized' },
  );
  const { precision, recall, purity, found, wrong } = figuresOf(workspace, plan);
  console.log(
    `${name}: ${cards.length} objects, ${places.shelves.length} folders\n  existing folders: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}\n  new folders: ${plan.folders.length}, purity ${purity.toFixed(2)}, found ${found.toFixed(2)}`,
  );
  for (const { sample, at } of wrong)
    console.log(`    ${sample.card.filename}: ${at || '–'}, not ${sample.folder || '–'}`);
  for (const { name, theme } of plan.folders)
    console.log(`    + ${name} (${theme ? Object.values(theme).join('') : 'no theme'})`);
}

await measure('what thresholds were chosen by', chosenBy);
await measure('held out, a household (en, ru)', household);
await measure('held out, a firm (de, zh)', firm);

/** Words with a skewed distribution, as in texts; the same in every run. */
function manyCards(count: number): readonly ObjectFeatures[] {
  let state = 1;
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor(below * (state / 2_147_483_647) ** 3);
  };
  const words = Array.from({ length: 50_000 }, (_, i) => {
    const syllables = ['ra', 'to', 'mi', 'ke', 'lu', 'so', 'na', 'vi', 'do', 'pe'];
    return [...String(i)].map((digit) => syllables[Number(digit)]).join('') + 'n';
  });
  const some = (n: number): string[] => Array.from({ length: n }, () => words[next(50_000)] ?? '');
  return Array.from({ length: count }, (_, i): ObjectFeatures => {
    const like = samples[i % samples.length]?.card;
    if (!like) throw new Error('No samples.');
    return {
      ...like,
      objectId: `many-${String((i * 7919) % count).padStart(6, '0')}`,
      title: `${like.title} ${some(3).join(' ')}`,
      summary: `${like.summary} ${some(25).join(' ')}`,
      keywords: [...like.keywords, ...some(5)],
      organizations: [...like.organizations, `${some(1).join('')} Ltd`],
    };
  });
}

const cards = manyCards(MANY);
const before = process.memoryUsage().heapUsed;
let peak = before;
let longest = 0;
let last = performance.now();
const began = last;
const large = await planFolders(
  {
    scheduler: {
      yield: async () => {
        longest = Math.max(longest, performance.now() - last);
        peak = Math.max(peak, process.memoryUsage().heapUsed);
        await turn();
        last = performance.now();
      },
    },
  },
  { cards, shelves, themes, scope: 'all' },
);
console.log(
  `${MANY} objects in ${((performance.now() - began) / 1000).toFixed(1)} s, at most ${longest.toFixed(0)} ms without a pause, ${((peak - before) / 2 ** 20).toFixed(0)} MiB; ${large.placements.size} placed, ${large.folders.length} new folders`,
);
