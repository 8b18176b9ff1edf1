import type { Page } from 'playwright-core';
import { folderId } from '../../scripts/demo/ids.ts';
import { documentId } from '../../scripts/demo/records.ts';
import type { DemoWorkspace } from '../../scripts/demo/workspace.ts';
import type { ModelService } from '../fake-model-server.ts';
import type { Service } from '../http/harness.ts';
import { agentModel, connectAgent, handOver } from './agent-fixture.ts';
import { enterPin } from './zone-fixture.ts';
import { placeOf, waitForMark } from './viewer-fixture.ts';

/** The demo workspace of an owner of the service. */
export interface DemoScene {
  readonly service: Service;
  readonly token: string;
  readonly model: ModelService;
  readonly workspace: DemoWorkspace;
}

/** A screen of the app with the demo workspace. The README shows those with a picture. */
export interface DemoScreen {
  readonly name: string;
  readonly path: (scene: DemoScene) => string | Promise<string>;
  /** Leads from the opened path to what is shown, and waits for it. */
  readonly reach: (page: Page, scene: DemoScene) => Promise<unknown>;
}

const TENANCY = 'Home/Flat, Lotsenweg 7/Tenancy agreement Lotsenweg 7.pdf';

const LAST_DAY = {
  title: 'Last day to give notice',
  starts_at: '2026-12-03',
  ends_at: '2026-12-04',
  all_day: true,
};

function idOf({ workspace }: DemoScene, file: string): string {
  const document = workspace.documents.find((each) => each.file === file);
  if (!document) throw new Error(`The demo has no document ${file}.`);
  return documentId(document);
}

const row = (page: Page, name: RegExp) => page.getByRole('row', { name }).first();

export const DEMO_SCREENS: readonly DemoScreen[] = [
  {
    name: 'library',
    path: () => '/library',
    reach: async (page) => {
      await row(page, /IMG_4417/).click();
      await page.getByRole('complementary', { name: 'Preview' }).waitFor();
      await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
    },
  },
  {
    name: 'viewer',
    path: async (scene) => {
      const id = idOf(scene, TENANCY);
      const words = /The tenant may give notice in writing[^.]+\./;
      return `/object/${id}${(await placeOf(scene.service, scene, id, words)).hash}`;
    },
    reach: waitForMark,
  },
  {
    name: 'ask',
    path: async ({ service, token }) => {
      const { json } = await service.call('GET', '/v1/chats?limit=100', { token });
      const chats = json.items as { readonly id: string; readonly title: string }[];
      const chat = chats.find(({ title }) => title.startsWith('When is the deposit'));
      return `/ask/${chat?.id ?? ''}`;
    },
    reach: (page) =>
      page
        .getByRole('link', { name: /Open at the place/ })
        .first()
        .waitFor(),
  },
  {
    name: 'tidy',
    path: () => '/tidy',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Make a plan' }).click();
      await page.getByRole('button', { name: /^Move \d+ documents?$/ }).waitFor();
    },
  },
  {
    name: 'hidden',
    path: () => '/library',
    reach: async (page, { workspace }) => {
      await row(page, /Things to ask Mara/).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await enterPin(page, workspace.pin);
      await row(page, /For Jonas, the speech/).waitFor();
    },
  },
  {
    name: 'calendar',
    path: () => '/calendar?d=2026-11-22',
    reach: (page) => page.getByText('Flat viewing, Mühlenweg 3').first().waitFor(),
  },
  {
    name: 'shares',
    path: () => '/shares',
    reach: (page) => page.getByText('For the accountant').first().waitFor(),
  },
  // The last one: it changes the workspace.
  {
    name: 'agent',
    path: async (scene) => {
      await connectAgent(scene.service, scene, scene.model);
      return '/agent';
    },
    reach: async (page, scene) => {
      const id = idOf(scene, 'In no folder/IMG_4417.jpg');
      agentModel(scene.model).says(
        [
          ['rename_object', { object_id: id, filename: '2026-11-20 Invoice Dr. Osei.jpg' }],
          ['move_object', { object_id: id, collection_id: folderId('Dentist') }],
          ['create_event', LAST_DAY],
        ],
        [['search_objects', { query: 'third working day' }]],
        'The invoice of 20 November is named and filed. The last day to give notice is in your calendar.',
      );
      await handOver(
        page,
        'Name and file the photo of the dentist’s invoice, and remind me of the last day to give notice.',
      );
      await page.locator('.prose', { hasText: 'is named and filed' }).waitFor();
    },
  },
];
