import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openTab, type Tab } from '../http/browser.ts';
import type { Served } from '../http/harness.ts';
import { textFile, type GivenFile } from './uploads-fixture.ts';

/** First documents of a workspace, in several kinds and languages. */
export const FIRST_FILES = {
  'Invoice 2024-117.txt': `Lumen Optics GmbH
12 Harbour Road, Kiel

INVOICE

Invoice no. 2024-117
Invoice date: 12 March 2024
Bill to: Ann Lee

Cleaning of the lens      $ 380.00
Travel                    $ 40.00
Amount due                $420.00

Payment is due by 11 April 2024 without deduction.
`,
  'Tenancy agreement Lotsenweg 7.txt': `Tenancy agreement

between Baumann Property Ltd as landlord and Ms Ines Halloran as tenant.

§ 1 The landlord lets the flat at Lotsenweg 7, second floor, from 1 March 2024 for an indefinite time.

§ 2 The rent is EUR 620.00 a month. It is paid in advance, at the latest on the third working day of a month.

§ 3 The deposit is EUR 1,860.00. The landlord settles it within six months of the return of all keys.

§ 4 The tenant may give notice in writing, at the latest on the third working day of a month.
`,
  'Rechnung 4711.txt': `Seilerei Harms GmbH
Am Kai 3, 24103 Kiel

RECHNUNG

Rechnungsnummer: 4711
Rechnungsdatum: 14. Februar 2025
Kunde: Frau Dr. Petra Lindner

120 m Tauwerk, 12 mm         180,00 EUR
Spleißen                      60,00 EUR
Rechnungsbetrag: 240,00 EUR

Bitte überweisen Sie den Betrag bis zum 28. Februar 2025.
`,
  'Mietvertrag.txt': `Mietvertrag

zwischen der Baumann Hausverwaltung GmbH als Vermieterin und Herrn Jonas Petersen als Mieter.

§ 1 Das Mietverhältnis beginnt am 1. März 2024 und läuft auf unbestimmte Zeit.

§ 2 Die Miete beträgt monatlich 620,00 EUR. Sie ist im Voraus zu zahlen, spätestens am dritten Werktag.

§ 3 Die Kaution beträgt 1.860,00 EUR.
`,
  'Letter from the harbour office.txt': `Harbour Office Kiel
3 May 2026

Dear Ms Halloran,

thank you for your letter of 20 April 2026. The berth of the sloop Tern is yours from 1 June 2026. The fee for the season is 310.00 EUR and covers water and electricity.

Please bring the insurance of the boat when you come.

Yours sincerely,
Martin Vogel
`,
  'Brief der Stadtwerke.txt': `Stadtwerke Kiel AG
Kiel, den 9. Januar 2026

Sehr geehrte Frau Halloran,

am 2. Februar 2026 tauschen wir den Zähler in Ihrer Wohnung aus. Der Austausch kostet Sie nichts. Ihr neuer Abschlag beträgt ab März 2026 monatlich 84,00 EUR.

Mit freundlichen Grüßen
Sabine Krüger
`,
} as const;

export type FirstFile = keyof typeof FIRST_FILES;

export const firstFile = (name: FirstFile): GivenFile => textFile(name, FIRST_FILES[name]);

/** Opens the link that the terminal prints. Its host is `localhost`, where browsers allow passkeys. */
export async function openLink(
  browser: Browser,
  service: Served,
  ownerId: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const tab = await openTab(browser, {
    viewport: { width: 1_440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  });
  const base = service.base.replace('127.0.0.1', 'localhost');
  await tab.page.goto(`${base}/app/sign-in#${await service.signInCode(ownerId)}`);
  await tab.page.getByRole('navigation', { name: 'Workspace' }).first().waitFor();
  return tab;
}

export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
} as const;

/** The field that the drop target is a label of. */
export const fileField = (page: Page): Locator => page.locator('.drop input[type=file]');

export const proposals = (page: Page): Locator => page.locator('.first .next button');

export const rowOf = (page: Page, name: string): Locator =>
  page.locator('.came li').filter({ hasText: name });

/** A step of the list, by its title. */
export const step = (page: Page, title: string, isDone: boolean): Locator =>
  page.locator(`.done-list > li[data-done=${isDone}]`).filter({ hasText: title });

/** A device that makes and uses passkeys by itself. */
export async function addAuthenticator(page: Page): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('WebAuthn.enable');
  await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
