import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { OFFICE_SECRET, openOfficeService, type OfficeService } from '../fake-document-server.ts';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { firstProfile, startService, type Service } from '../http/harness.ts';
import { capture, expectAccessibleInBothThemes, openApp } from './app-fixture.ts';

const PATH = '/settings/office';
const SELFTEST = '**/v1/office/selftest';

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the office editor in the settings of the app`, function () {
    this.timeout(120_000);
    let browser: Browser;
    before(async () => {
      browser = await sharedBrowser();
    });
    after(() => browser.close());

    describe('with a document server', () => {
      let office: OfficeService;
      let service: Service;
      before(async () => {
        office = await openOfficeService();
        service = await startService(profile, {
          OFFICE_URL: office.origin,
          OFFICE_JWT_SECRET: OFFICE_SECRET,
        });
      });
      after(async () => {
        await service.dispose();
        await office.close();
      });

      it('is tried hop by hop: the first that fails says what to do', async () => {
        office.mood.health = 'failing';
        const { page, open, complaints, close } = await openApp(browser, service);
        await open(PATH);
        await page.getByText('The document server does not answer.').waitFor();
        await page.getByRole('button', { name: 'Try every hop' }).click();
        await page.getByText('A document does not get through.').first().waitFor();
        await page.getByText('The operator checks OFFICE_URL').waitFor();
        expect(await page.locator('.hops .state.bad').count()).to.equal(1);
        expect(await page.getByText('not tried').count()).to.equal(2);
        await capture(page, 'connections-office-failed');
        await expectAccessibleInBothThemes(page, 'a hop that fails');
        office.mood.health = 'well';
        await page.getByRole('button', { name: 'Try every hop again' }).click();
        await page.getByText('Every hop works.').waitFor();
        await page.getByText('The editor works.').waitFor();
        expect(await page.locator('.hops .state.good').count()).to.equal(3);
        await capture(page, 'connections-office');
        await expectAccessibleInBothThemes(page, 'hops that work');
        await open('/settings/connections');
        await page.getByText('to the document server that the operator has connected').waitFor();
        expect(complaints).to.deep.equal([]);
        await close();
      });
    });

    describe('without one', () => {
      let service: Service;
      let model: ModelService;
      before(async () => {
        model = await openModelService();
        service = await startService(profile, {
          LLM_URL: `${model.origin}/v1`,
          LLM_MODEL: 'lamp-7b',
        });
      });
      after(async () => {
        await service.dispose();
        await model.close();
      });

      it('the connections name what the operator has connected', async () => {
        const { page, open, complaints, close } = await openApp(browser, service);
        await open('/settings/connections');
        await page.getByText('Until then the model of the operator answers.').waitFor();
        await page.getByText('0 questions this month.').waitFor();
        await page.getByText('to the model that the operator has connected').waitFor();
        await page.getByText('to no document server: none is connected').waitFor();
        expect(complaints).to.deep.equal([]);
        await close();
      });

      it('says why, and what the operator sets, also on a phone in Chinese', async () => {
        const tab = await openApp(browser, service, {
          locale: 'zh-CN',
          viewport: { width: 390, height: 844 },
        });
        const { page, open, complaints, close } = tab;
        await open(PATH);
        for (const name of ['OFFICE_URL', 'OFFICE_JWT_SECRET', 'OFFICE_ENABLED'])
          await page.getByText(name, { exact: true }).waitFor();
        await page.getByText('尚未连接文档服务器').waitFor();
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(sideways).to.be.at.most(0);
        await capture(page, 'connections-office-off');
        await expectAccessibleInBothThemes(page, 'no document server');
        expect(complaints).to.deep.equal([]);
        await close();
      });

      it('says that a self-test could not be run', async () => {
        const { page, open, complaints, close } = await openApp(browser, service);
        await open(PATH);
        await page.getByText('No document server is connected.').waitFor();
        await page.route(SELFTEST, (route) => route.abort());
        await page.getByRole('button', { name: 'Try every hop' }).click();
        await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
        await page.unroute(SELFTEST);
        await page.getByRole('button', { name: 'Try every hop' }).click();
        await page.getByText('A document does not get through.').first().waitFor();
        // The browser itself reports the request that was aborted.
        expect(complaints.filter((each) => !/ERR_FAILED/.test(each))).to.deep.equal([]);
        await close();
      });
    });
  });
