import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { hasBrowser, sharedBrowser } from '../http/browser.ts';
import { eventually, firstProfile, type Served } from '../http/harness.ts';
import { sharedService } from '../http/shared-service.ts';
import { coloursOf, noiseOf, twoColours, withPngChunk } from '../samples/pictures.ts';
import { capture, expectAccessibleInBothThemes, openApp, type AppTab } from './app-fixture.ts';
import { cutOff } from './cut-off.ts';
import { addFile } from './viewer-fixture.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** The strongest colour in the middle of the left, the right, the top and the bottom of the preview. */
const COLOURS = `(() => {
  const canvas = document.querySelector('.picture-edited canvas');
  if (!canvas || canvas.width === 0) return '';
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const at = (x, y) => {
    const [r, g, b] = copy.getImageData(Math.floor(width * x), Math.floor(height * y), 1, 1).data;
    return r > b ? 'red' : 'blue';
  };
  return [at(0.1, 0.5), at(0.9, 0.5), at(0.5, 0.1), at(0.5, 0.9)].join(' ');
})()`;

/** An animation of one frame. */
async function movingPng(): Promise<Buffer> {
  const png = await twoColours(100).png().toBuffer();
  const frame = Buffer.alloc(26);
  frame.writeUInt32BE(100, 4);
  frame.writeUInt32BE(50, 8);
  frame.writeUInt32BE(0x0001_000a, 20);
  const control = Buffer.from('0000000100000000', 'hex');
  return withPngChunk(withPngChunk(png, 'fcTL', frame), 'acTL', control);
}

for (const profile of hasBrowser ? firstProfile : [])
  describe(`${profile}: pictures edited in the app`, function () {
    this.timeout(120_000);
    let service: Served;
    let browser: Browser;
    let tab: AppTab;
    let page: Page;
    before(async () => {
      service = await sharedService(profile);
      browser = await sharedBrowser();
      tab = await openApp(browser, service);
      ({ page } = tab);
    });
    after(() => tab.close());
    afterEach(() => expect(tab.complaints).to.deep.equal([]));

    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const read = async (id: string) =>
      (await service.call('GET', `/v1/objects/${id}`, { token: tab.token })).json;
    const bytesOf = async (id: string): Promise<Buffer> => {
      const response = await fetch(`${service.base}/v1/objects/${id}/content`, {
        headers: { authorization: `Bearer ${tab.token}` },
      });
      return Buffer.from(await response.arrayBuffer());
    };
    const sizeOf = async (id: string) => {
      const { width, height } = await sharp(await bytesOf(id)).metadata();
      return `${width} x ${height}`;
    };
    const shows = async (colours: string) =>
      expect(
        await eventually(
          () => page.evaluate<string>(COLOURS),
          (found) => found === colours,
        ),
      ).to.equal(colours);
    const settles = async (id: string, version: number) => {
      const found = await eventually(
        async () => (await read(id)).version as number,
        (each) => each === version,
        30_000,
      );
      expect(found).to.equal(version);
    };
    const addPicture = async (name: string, bytes: Uint8Array) => {
      const id = await addFile(service, tab, name, bytes);
      return id;
    };
    const edit = async (id: string) => {
      await tab.open(`/object/${id}/picture`);
      await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
    };
    const saved = () => page.locator('.toast', { hasText: 'Edited the picture' });
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };

    it('turns, mirrors, crops and makes smaller with a preview, each as a version, with undo', async () => {
      const id = await addPicture('flag.png', await twoColours(400).png().toBuffer());
      await tab.open(`/object/${id}`);
      await page.locator('.picture-frame img').waitFor();
      await button('More actions').click();
      await page.getByRole('link', { name: 'Edit the picture' }).click();
      await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
      await page.getByText('400 × 200 pixels').waitFor();
      await shows('red blue blue blue');
      await button('Mirror left and right').click();
      await shows('blue red red red');
      await button('Turn right').click();
      await shows('red red blue red');
      await page.getByText('200 × 400 pixels').waitFor();
      await button('Before').click();
      await shows('red blue blue blue');
      await button('After').click();
      await button('Choose a part').click();
      await page.getByRole('textbox', { name: 'Height' }).first().fill('200');
      await capture(page, 'picture-crop');
      await button('Show the part').click();
      await shows('blue blue blue blue');
      await page.getByText('200 × 200 pixels').waitFor();
      await page.getByRole('textbox', { name: 'Width' }).fill('100');
      await page.getByText('100 × 100 pixels').waitFor();
      await page.getByText('Makes 4 versions. Version 1 stays.').waitFor();
      await capture(page, 'picture');
      await expectAccessibleInBothThemes(page, 'picture');
      await button('Save').click();
      await saved().waitFor();
      await settles(id, 5);
      expect(await sizeOf(id)).to.equal('100 x 100');
      expect(await coloursOf(await bytesOf(id))).to.deep.equal(['blue', 'blue']);
      await page.getByText('100 × 100 pixels').waitFor();
      expect(new URL(page.url()).search).to.equal('');
      await saved().getByRole('button', { name: 'Undo' }).click();
      await settles(id, 6);
      expect(await coloursOf(await bytesOf(id))).to.deep.equal(['red', 'blue']);
      await page.getByText('400 × 200 pixels').waitFor();
      await shows('red blue blue blue');
    });

    it('compresses with the size told before, and says when that would not help', async () => {
      const id = await addPicture(
        'leaves.jpg',
        await (await noiseOf(300, 200)).jpeg({ quality: 90 }).toBuffer(),
      );
      const before = (await bytesOf(id)).length;
      await edit(id);
      await page.getByText('Make the file smaller by lower quality').click();
      const quality = page.getByRole('slider', { name: 'Quality' });
      await quality.fill('30');
      await page.getByText(/^about \d/).waitFor();
      await button('Save').click();
      await saved().waitFor();
      await settles(id, 2);
      expect((await bytesOf(id)).length).to.be.below(before / 2);
      await page.getByText('Make the file smaller by lower quality').click();
      await quality.fill('100');
      await button('Save').click();
      await page.getByText('The file would not become smaller at this quality.').waitFor();
      await settles(id, 2);
    });

    it('shows the progress after a reload, and offers the undo in the end', async () => {
      const id = await addPicture('slow.png', await twoColours(200).png().toBuffer());
      await edit(id);
      const status = `**/v1/objects/${id}/image/status/*`;
      await page.route(status, async (route) => {
        const response = await route.fetch();
        const json = { ...(await response.json()), status: 'running', done: false, version: null };
        await route.fulfill({ json });
      });
      await button('Turn left').click();
      await button('Save').click();
      await page.getByText('Turning the picture').waitFor();
      await page.waitForURL(/tasks=/);
      await settles(id, 2);
      await page.reload();
      await page.getByText('Turning the picture').waitFor();
      expect(await button('Turn left').isDisabled()).to.equal(true);
      await capture(page, 'picture-running');
      await page.unroute(status);
      await saved().getByRole('button', { name: 'Undo' }).click();
      await settles(id, 3);
      await shows('red blue blue blue');
      expect(page.url()).not.to.match(/tasks=/);
    });

    it('shows a version that was made elsewhere, and no operation that is not known', async () => {
      const id = await addPicture('shared.png', await twoColours(200).png().toBuffer());
      await tab.open(`/object/${id}/picture?tasks=7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f&base=1`);
      await shows('red blue blue blue');
      await page.waitForURL((url) => url.search === '');
      await button('Turn right').click();
      await page.getByText('Makes 1 version. Version 1 stays.').waitFor();
      await service.call('POST', `/v1/objects/${id}/image/flip`, {
        token: tab.token,
        body: { mode: 'h' },
      });
      await page.getByText(/^Version 2 was added elsewhere/).waitFor();
      await shows('blue red red red');
      expect(await button('Save').isDisabled()).to.equal(true);
    });

    it('says what is refused, and what is wrong with a number, and changes nothing', async () => {
      const whole = await (await noiseOf(300, 200)).jpeg().toBuffer();
      const id = await addPicture('half.jpg', whole.subarray(0, whole.length / 2));
      await edit(id);
      const width = page.getByRole('textbox', { name: 'Width' });
      for (const wrong of ['', '301', '12.5', 'wide']) {
        await width.fill(wrong);
        await page.getByText('Enter a whole number from 16 to 300.').waitFor();
      }
      expect(await button('Save').isDisabled()).to.equal(true);
      await width.fill('300');
      await button('Turn right').click();
      await button('Save').click();
      await page.getByRole('alert').filter({ hasText: 'The file is damaged' }).waitFor();
      await settles(id, 1);
      const note = await addFile(service, tab, 'note.txt', 'No picture.');
      await tab.open(`/object/${note}/picture`);
      await page.getByText(/^Only JPG, PNG and WebP pictures can be edited here/).waitFor();
      await tab.open(`/object/${await addPicture('moving.png', await movingPng())}/picture`);
      await page.getByText(/^Only JPG, PNG and WebP pictures can be edited here/).waitFor();
    });

    it('says why the service refuses an operation at once, and leaves the draft', async () => {
      const id = await addPicture('large.png', await twoColours(100).png().toBuffer());
      await edit(id);
      const detail = 'The image has more than 100 megapixels, which is the limit.';
      await page.route('**/image/rotate', (route) =>
        route.fulfill({
          status: 415,
          json: { code: 'unsupported_type', detail, error_code: 'too_many_pixels' },
        }),
      );
      await button('Turn right').click();
      await button('Save').click();
      await page.getByRole('alert').filter({ hasText: 'more than 100 megapixels' }).waitFor();
      await page.unroute('**/image/rotate');
      await button('Save').click();
      await saved().waitFor();
      await settles(id, 2);
    });

    it('is done by the keyboard alone', async () => {
      const id = await addPicture('keys.png', await twoColours(400).png().toBuffer());
      await tab.open(`/object/${id}`);
      await page.locator('.picture-frame img').waitFor();
      await press('Shift+E');
      await page.getByRole('img', { name: 'Preview of the picture' }).waitFor();
      await press('r', 'h');
      await shows('blue blue red blue');
      await press('c');
      const frame = page.getByRole('group', { name: 'Frame of the part' });
      await frame.focus();
      for (let step = 0; step < 10; step++) await press('Shift+ArrowUp');
      await page.getByText('200 × 360 pixels').waitFor();
      for (let step = 0; step < 5; step++) await press('ArrowDown');
      expect(await page.getByRole('textbox', { name: 'From the top' }).inputValue()).to.equal('20');
      await press('Control+Enter');
      await saved().waitFor();
      await settles(id, 4);
      expect(await sizeOf(id)).to.equal('200 x 360');
      await press('Escape');
      await page.locator('.picture-frame img').waitFor();
      expect(new URL(page.url()).pathname).to.match(new RegExp(`/object/${UUID.source}$`));
    });

    it('crops with the pointer, on a phone as well', async () => {
      const id = await addPicture('finger.png', await twoColours(400).png().toBuffer());
      for (const viewport of [
        { width: 1_440, height: 900 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(viewport);
        await edit(id);
        await button('Choose a part').click();
        const canvas = page.locator('.picture-edited canvas');
        await canvas.scrollIntoViewIfNeeded();
        const box = await canvas.boundingBox();
        if (!box) throw new Error('There is no preview.');
        const middle = box.y + box.height / 2;
        await page.mouse.move(box.x + box.width - 1, middle);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2, middle, { steps: 4 });
        await page.mouse.up();
        const width = page.getByRole('textbox', { name: 'Width' }).first();
        const isHalf = (value: string) => Math.abs(Number(value) - 200) < 8;
        expect(await eventually(() => width.inputValue(), isHalf)).to.satisfy(isHalf);
        await capture(page, `picture-crop-${viewport.width}`);
        await button('Reset').click();
      }
      await page.setViewportSize({ width: 1_440, height: 900 });
    });

    for (const locale of ['de', 'ru'] as const)
      it(`fits a phone in the language ${locale}`, async () => {
        const id = await addPicture(`${locale}.jpg`, await twoColours(60).jpeg().toBuffer());
        const other = await openApp(browser, service, {
          owner: { id: tab.ownerId, token: tab.token },
          locale,
          viewport: { width: 390, height: 844 },
        });
        await other.open(`/object/${id}/picture`);
        await other.page.locator('.picture-edited canvas').waitFor();
        await other.page.locator('.picture-tools h3').first().waitFor();
        await capture(other.page, `picture-${locale}`);
        expect(await cutOff(other.page)).to.deep.equal([]);
        expect(other.complaints).to.deep.equal([]);
        await other.close();
      });
  });
