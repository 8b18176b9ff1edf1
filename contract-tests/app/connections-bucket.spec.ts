import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openS3Service, type S3Service } from '../fake-s3.ts';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';

const PATH = '/settings/connections';
const FILES = 4;

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: the own bucket in the settings of the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let bucket: S3Service;
    before(async () => {
      bucket = await openS3Service();
      service = await sharedService(profile);
      browser = await sharedBrowser();
    });
    after(() => bucket.close());
    afterEach(() => bucket.injectFault());

    const card = async ({ token }: Pick<AppTab, 'token'>) =>
      (await service.call('GET', '/v1/integrations/s3', { token })).json;
    const migration = async (tab: Pick<AppTab, 'token'>) => (await card(tab)).migration;
    const addFiles = async ({ token }: Pick<AppTab, 'token'>) => {
      for (let i = 0; i < FILES; i++) {
        const file = [`f${i}.txt`, `text ${i} of ${token}`] as const;
        const { json } = await service.uploadAll([file], {}, { token });
        await service.settled(json.items[0].id, { token });
      }
    };
    const hideOne = async ({ token }: Pick<AppTab, 'token'>) => {
      const { items } = (await service.call('GET', '/v1/objects?limit=1', { token })).json;
      await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '48151623' } });
      await service.call('POST', '/v1/objects/bulk', {
        token,
        body: { action: 'hide', ids: [items[0].id] },
      });
      await service.call('POST', '/v1/hidden-pin/lock', { token });
    };
    const connect = ({ token }: Pick<AppTab, 'token'>) => {
      const { endpoint, region, accessKeyId, secretAccessKey } = bucket.place;
      const config = { endpoint, region, bucket: bucket.place.bucket, access_key_id: accessKeyId };
      return service.call('PUT', '/v1/integrations/s3', {
        token,
        body: { config, secret: secretAccessKey },
      });
    };
    const part = (page: Page) => page.getByRole('region', { name: 'Own bucket', exact: true });
    const field = (page: Page, name: string) => part(page).getByLabel(name, { exact: true });
    const button = (page: Page, name: string) =>
      part(page).getByRole('button', { name, exact: true });

    const openSettings = async (page: Page) => {
      if ((await part(page).locator('details').getAttribute('open')) === null)
        await part(page).getByText('Settings of the bucket').click();
    };

    it('is filled in by presets and tried; without an endpoint no secret goes to Amazon', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await open(PATH);
      await part(page).getByText('Not connected.').waitFor();
      const preset = part(page).getByRole('combobox', { name: 'Service' });
      await preset.selectOption('Hetzner');
      expect(await field(page, 'Endpoint').inputValue()).to.equal(
        'https://fsn1.your-objectstorage.com',
      );
      await field(page, 'Region').fill('hel1');
      expect(await field(page, 'Endpoint').inputValue()).to.equal(
        'https://hel1.your-objectstorage.com',
      );
      await preset.selectOption('Cloudflare R2');
      await field(page, 'Bucket').fill('papers');
      await button(page, 'Save and try: Own bucket').click();
      await part(page).getByText('Enter scheme, host and port only').waitFor();
      await page.locator('input[aria-invalid=true]:focus').waitFor();
      expect((await card(tab)).configured).to.equal(false);
      const { endpoint, region, accessKeyId, secretAccessKey } = bucket.place;
      await preset.selectOption('Another one');
      await field(page, 'Endpoint').fill(endpoint ?? '');
      await field(page, 'Region').fill(region);
      await field(page, 'Bucket').fill('Papers!');
      await button(page, 'Save and try: Own bucket').click();
      await part(page).getByText('Enter the name of the bucket').waitFor();
      await part(page).getByText('Enter the access key').waitFor();
      await capture(page, 'connections-bucket-refused');
      await field(page, 'Bucket').fill(bucket.place.bucket);
      await field(page, 'Access key').fill(accessKeyId);
      await field(page, 'Secret').fill('wrong');
      await button(page, 'Save and try: Own bucket').click();
      await part(page).getByText('The server does not accept the secret.').waitFor();
      await field(page, 'Secret').fill(secretAccessKey);
      await button(page, 'Save and try: Own bucket').click();
      await part(page).getByText('A file was written, read and deleted.').waitFor();
      expect(await card(tab)).to.deep.include({ status: 'ok', secret_hint: 'me@9' });
      expect(await page.content()).not.to.include(secretAccessKey);
      await page.getByRole('complementary').getByText('to papers at 127.0.0.1').waitFor();
      await part(page).getByText('There are no files yet').waitFor();
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('receives the files and gives them back, and says what it waits for and what is left', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await addFiles(tab);
      await connect(tab);
      await open(PATH);
      await part(page).getByText(`${FILES} with the service`).waitFor();
      await capture(page, 'connections-plan');
      // During an outage of the bucket the move waits, also over a reload.
      bucket.injectFault(() => 'error');
      await button(page, `Move ${FILES} files to the bucket`).click();
      await part(page).getByText('Moving files to the bucket').waitFor();
      await part(page).getByText('It waits and continues automatically.').waitFor();
      await page.reload();
      await part(page).getByText('It waits and continues automatically.').waitFor();
      await part(page).getByText(`${FILES} to go`).waitFor();
      await capture(page, 'connections-moving');
      await expectAccessibleInBothThemes(page, 'files that are being moved');
      // One file can not be stored.
      let refused: string | undefined;
      bucket.injectFault(({ operation, key, headers }) => {
        if (operation !== 'PutObject' || !/blobs/.test(key)) return undefined;
        refused ??= headers['x-amz-content-sha256']?.toString();
        return headers['x-amz-content-sha256'] === refused ? 'forbidden' : undefined;
      });
      await part(page).getByText('1 file could not be moved in three tries.').waitFor();
      expect(await migration(tab)).to.deep.include({ status: 'done', moved: FILES - 1, failed: 1 });
      await part(page)
        .getByText(`${FILES - 1} in the bucket`)
        .waitFor();
      await capture(page, 'connections-left');
      await expectAccessibleInBothThemes(page, 'a file that could not be moved');
      bucket.injectFault();
      await button(page, 'Try them again').click();
      await part(page).getByText('All files are in the bucket.').waitFor();
      expect(await migration(tab)).to.deep.include({ status: 'done', moved: FILES, remaining: 0 });

      // It can not be forgotten while files are in it. They are moved back first.
      await openSettings(page);
      await button(page, 'Forget the bucket').click();
      const dialog = page.getByRole('dialog', { name: 'Forget the bucket?' });
      await dialog.getByText(`${FILES} files of yours are in the bucket.`).waitFor();
      await capture(page, 'connections-in-use');
      await expectAccessibleInBothThemes(page, 'a bucket in use');
      await dialog.getByRole('button', { name: 'Move the files back' }).click();
      await part(page).getByText('All files are back with the service.').waitFor();
      expect(await migration(tab)).to.deep.include({ status: 'done', direction: 'back' });
      expect((await card(tab)).status).to.equal('disabled');
      await part(page).getByText(`0 in the bucket`).waitFor();
      await button(page, 'Forget the bucket').click();
      await dialog.getByRole('button', { name: 'Forget the bucket' }).click();
      await part(page).getByText('Not connected.').waitFor();
      expect((await card(tab)).configured).to.equal(false);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('counts nothing hidden, stops a move, and every file stays where it was last', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await addFiles(tab);
      await hideOne(tab);
      await connect(tab);
      await open(PATH);
      bucket.injectFault(() => 'error');
      await button(page, `Move ${FILES - 1} files to the bucket`).click();
      await part(page).getByText('It waits and continues automatically.').waitFor();
      await button(page, 'Stop after this file').click();
      bucket.injectFault();
      await part(page).getByText('The move was stopped.').waitFor();
      const { status, total } = await eventually(
        () => migration(tab),
        (each) => each.status !== 'running',
      );
      expect([status, total]).to.deep.equal(['cancelled', FILES - 1]);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it('says that files are in it where another bucket is entered', async () => {
      const tab = await openApp(browser, service);
      const { page, open, complaints, close } = tab;
      await connect(tab);
      await addFiles(tab);
      await open(PATH);
      await part(page).getByText(`${FILES} in the bucket`).waitFor();
      await openSettings(page);
      await field(page, 'Folder in the bucket').fill('elsewhere');
      await button(page, 'Save and try: Own bucket').click();
      await part(page).getByText('Move them back before you connect another one').waitFor();
      expect((await card(tab)).config).not.to.have.property('prefix');
      expect(complaints).to.deep.equal([]);
      await close();
    });
  });
