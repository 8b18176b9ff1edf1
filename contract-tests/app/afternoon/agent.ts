import { expect } from 'chai';
import type { ModelService } from '../../fake-model-server.ts';
import { eventually } from '../../http/harness.ts';
import { capture } from '../app-fixture.ts';
import { folderIn, objectIn, scriptAgent } from './filing-model.ts';
import { documentNamed, goTo, rail, type Person } from './person.ts';
import { BROUGHT, foldersOf } from './sharing.ts';

interface Named {
  readonly filename: string;
}
interface Hit {
  readonly object: Named & { readonly collection_id: string | null };
}

const ARRIVED = 'crane receipt yard';

async function firstWhere<T>(all: readonly T[], is: (each: T) => Promise<boolean>): Promise<T> {
  for (const each of all) if (await is(each)) return each;
  throw new Error('None is found by its name.');
}

/** Connects a model in the settings, and tries it. */
export async function connectModel(person: Person, model: ModelService): Promise<void> {
  const { page, read } = person;
  await goTo(page, 'Settings');
  await rail(page).getByRole('link', { name: 'Connections' }).click();
  const part = page.getByRole('region', { name: 'Model', exact: true });
  await part.getByText('Not connected.').waitFor();
  await part.getByRole('textbox', { name: 'Address', exact: true }).fill(`${model.origin}/v1`);
  await part.getByRole('textbox', { name: 'Model', exact: true }).fill('lamp-7b');
  await part.getByRole('button', { name: 'Save and try: Model' }).click();
  await part.getByText('It answers: lamp-7b').waitFor();
  await capture(page, 'afternoon-model');
  expect(await read('/v1/integrations/llm')).to.include({ configured: true, status: 'ok' });
}

/** Lets the agent move what the stranger has brought into another folder. */
export async function letAgentFile(person: Person, model: ModelService): Promise<void> {
  const { page } = person;
  const [, target] = await foldersOf(person);
  const name = target?.name ?? '';
  const hits = async (query: string): Promise<readonly Hit[]> =>
    (await person.read(`/v1/search?limit=3&q=${encodeURIComponent(query)}`)).items;
  // What a stranger has added is read in the background.
  const isBrought = ({ object }: Hit) => object.filename === BROUGHT;
  const found = await eventually(
    () => hits(ARRIVED),
    (each) => each.some(isBrought),
    60_000,
  );
  expect(found.some(isBrought), `${BROUGHT} is found`).to.equal(true);
  const { items } = await person.read(`/v1/objects?limit=50&collection_id=${target?.id ?? ''}`);
  const neighbour = await firstWhere(items as readonly Named[], async ({ filename }) =>
    (await hits(filename)).some(({ object }) => object.collection_id === target?.id),
  );
  scriptAgent(model, [
    () => ({ tool: 'search_objects', given: { query: ARRIVED } }),
    () => ({ tool: 'search_objects', given: { query: neighbour.filename } }),
    (results) => ({
      tool: 'move_object',
      given: {
        object_id: objectIn(results[0] ?? '', BROUGHT),
        collection_id: folderIn(results[1] ?? '', name),
      },
    }),
    () => 'It is filed.',
  ]);
  await goTo(page, 'Agent');
  await page.getByRole('button', { name: 'Role: Assistant' }).click();
  await page.getByRole('button', { name: 'Librarian' }).click();
  await page.getByText('Role in use: Librarian').waitFor();
  const order = `Move “${BROUGHT}” to the folder “${name}”`;
  await page.getByRole('textbox', { name: 'What is to be done?' }).fill(order);
  await page.keyboard.press('Enter');
  await page.locator('.prose', { hasText: 'It is filed.' }).waitFor();
  await page.locator('.step', { hasText: `Moved ${BROUGHT} to ${name}` }).waitFor();
  await page
    .getByRole('complementary', { name: 'What changed' })
    .locator('ins', { hasText: name })
    .waitFor();
  await capture(page, 'afternoon-agent');
  expect((await documentNamed(person, BROUGHT)).collection_id).to.equal(target?.id);
}
