import type { Served } from '../http/harness.ts';
import type { AppTab } from './app-fixture.ts';

type Token = Pick<AppTab, 'token'>;

/** A workspace with folders, documents of several kinds, suggestions and what can not be read. */
export async function fillWorkspace(service: Served, { token }: Token) {
  const make = async (path: string, body: object): Promise<{ id: string }> => {
    const { json } = await service.call('POST', path, { token, body });
    return json as { id: string };
  };
  const folders = new Map<string, string>();
  for (const [theme, names] of [
    ['Home', ['Flat, Lotsenweg 7', 'Household bills', 'Recipes']],
    ['Money', ['Tax 2025', 'Insurance']],
    ['Health', ['Dentist', 'Vaccinations']],
  ] as const) {
    const { id } = await make('/v1/themes', { name: theme });
    for (const name of names)
      folders.set(name, (await make('/v1/collections', { name, theme_id: id })).id);
  }
  const objects: string[] = [];
  for (const [name, folder, text] of DOCUMENTS) {
    const fields = folder === undefined ? {} : { collection_id: folders.get(folder) ?? '' };
    const { json } = await service.uploadAll([[name, text]], fields, { token });
    const [{ id }] = json.items as [{ id: string }];
    await service.settled(id, { token });
    objects.push(id);
  }
  return { folders, objects };
}

const DOCUMENTS: readonly (readonly [string, string | undefined, string])[] = [
  ['Kontoauszug 2026-09.pdf', undefined, '%PDF-1.7\nthis is no page at all'],
  [
    'Plum dumplings, as Oma made them.md',
    'Recipes',
    'Floury potatoes, boiled the day before. A cube of sugar where the stone was.',
  ],
  [
    'Boat insurance Tern, policy 2027.txt',
    'Insurance',
    'Insurance policy\n\nHull and third party for the sloop Tern, 1 January to 31 December 2027; excess 400 euros. Policy number 4711.',
  ],
  [
    'Tenancy agreement Lotsenweg 7.txt',
    'Flat, Lotsenweg 7',
    'Tenancy agreement\n\nbetween Baumann & Söhne Hausverwaltung as landlord and Ines Halloran as tenant. The rent is EUR 620.00 a month, from 1 March 2024. Deposit EUR 1,860.00.',
  ],
  [
    'Trustees, minutes of 12 November.txt',
    undefined,
    'Minutes of the meeting of the trustees, 12 November 2026\n\nThe mercury bath: two prices in hand, a third asked for. Landing fee to 5.50 from April.',
  ],
  ['tides-2027.csv', undefined, 'day,high,low\n2027-01-01,06:12,12:30\n2027-01-02,07:01,13:22\n'],
];
