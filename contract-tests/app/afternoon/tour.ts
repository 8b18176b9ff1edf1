import { expect } from 'chai';
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { newDataFolder } from '../../backends-env.ts';
import { openModelService, type ModelService } from '../../fake-model-server.ts';
import { hasBrowser, openBrowser } from '../../http/browser.ts';
import { profiles, startService, type Service } from '../../http/harness.ts';
import { capture } from '../app-fixture.ts';
import { connectModel, letAgentFile } from './agent.ts';
import { dropPapers, tidyUp } from './adding.ts';
import { askAndOpen, QUESTIONS } from './asking.ts';
import { correctReceipt } from './correcting.ts';
import { FILE_COUNT, layOut } from './documents.ts';
import { hideAndLock } from './hiding.ts';
import { exportAll, importAll } from './moving.ts';
import { signIn, type Person } from './person.ts';
import { planMeeting } from './planning.ts';
import { shareFolder, visitAndUpload } from './sharing.ts';

/** One person, one tab, one afternoon: each step goes on where the one before has ended. `npm run tour` runs it. */
for (const profile of hasBrowser ? profiles : [])
  describe(`${profile}: an afternoon with the app`, function () {
    this.timeout(300_000);
    let service: Service;
    let browser: Browser;
    let model: ModelService;
    let person: Person;
    let papers: string;
    let place: string;
    let link: string;
    let archive: string;
    let hasFailed = false;
    before(async () => {
      place = await newDataFolder();
      papers = await layOut(place);
      model = await openModelService();
      service = await startService(profile, {
        OCR_LANGS: 'eng',
        OUTBOUND_ALLOW: `127.0.0.1:${model.port}`,
      });
      browser = await openBrowser();
    });
    after(async () => {
      await browser?.close();
      await service?.dispose();
      await model?.close();
      await rm(place, { recursive: true, force: true });
    });
    beforeEach(function () {
      if (hasFailed) this.skip();
    });
    afterEach(async function () {
      if (this.currentTest?.state === 'failed') {
        hasFailed = true;
        await capture(person.page, `afternoon-failed-${profile}`);
      }
      expect(person?.complaints ?? []).to.deep.equal([]);
    });

    it('begins with a one-time link', async () => {
      person = await signIn(browser, service);
      await person.page.waitForURL(/\/app\/welcome$/);
    });

    it(`adds a folder of ${FILE_COUNT} files by dropping it`, () => dropPapers(person, papers));

    it('tidies up by a plan', () => tidyUp(person));

    for (const question of QUESTIONS)
      it(`asks: ${question.text}`, () => askAndOpen(person, question));

    it('corrects what was read of a picture, and finds it by that', () => correctReceipt(person));

    it('shares a folder by a link with a password', async () => {
      link = await shareFolder(person);
    });

    it('is visited by a stranger, who uploads a file', () => visitAndUpload(browser, person, link));

    it('plans a meeting', () => planMeeting(person));

    it('connects a model', () => connectModel(person, model));

    it('lets the agent file what came in', () => letAgentFile(person, model));

    it('hides a document and locks the zone', () => hideAndLock(person));

    it('takes everything out', async () => {
      archive = await exportAll(person);
    });

    it('brings it into the empty place of another owner', async () => {
      const other = await signIn(browser, service);
      await importAll(person, other, archive);
      expect(other.complaints).to.deep.equal([]);
    });
  });
