import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, openApp } from './app-fixture.ts';
import { writeNote } from './ask-fixture.ts';
import { cutOff } from './cut-off.ts';

/** The other form of address: the app says du, vous, tú, вы and 你 throughout. */
const OTHER_ADDRESS = {
  de: /(?<!\p{L})(?:Ihnen|Ihre[mnrs]?|\p{Ll}+en Sie)(?!\p{L})/u,
  fr: /(?<!\p{L})(?:tu|toi|ton|tes)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:usted|elija|seleccione|pregunte|encargue|escriba|abra|inténtelo)(?!\p{L})/iu,
  ru: /(?<!\p{L})(?:ты|тебя|тебе|твой|твои|твоих)(?!\p{L})/iu,
  zh: /您/u,
} as const;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: words of the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });

    for (const [locale, otherAddress] of Object.entries(OTHER_ADDRESS))
      it(`names each place as its screen and addresses the owner in one form: ${locale}`, async () => {
        const tab = await openApp(browser, service, { locale });
        const { page, complaints } = tab;
        await writeNote(service, tab, 'Lamp oil', 'The lamp needs oil.');
        await tab.open('/library');
        await page.getByRole('row', { name: /Lamp oil/ }).waitFor();
        for (const id of ['ask', 'agent', 'shares', 'trash', 'library']) {
          const link = page.locator(`nav.rail a[href$="/app/${id}"]`).first();
          // Below the name a link may have a number.
          const [name = ''] = (await link.innerText()).trim().split('\n');
          await link.click();
          await page.getByRole('heading', { level: 1, name }).first().waitFor();
          await page.setViewportSize({ width: 390, height: 844 });
          await capture(page, `words-${locale}-${id}`);
          expect(await cutOff(page), `${id} at 390 px`).to.deep.equal([]);
          expect(await page.locator('body').innerText()).not.to.match(otherAddress);
          await page.setViewportSize({ width: 1_440, height: 900 });
        }
        expect(complaints).to.deep.equal([]);
        await tab.close();
      });
  });
