import type { Browser } from 'playwright-core';

/** A second of film, made by the browser that will play it: its codecs are those it has. */
export async function recordFilm(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage();
  try {
    const bytes = await page.evaluate(async () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [96, 64];
      const context = canvas.getContext('2d');
      if (!context) throw new Error('Nothing can be drawn.');
      const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm' });
      const parts: Blob[] = [];
      recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
      recorder.start();
      const from = performance.now();
      while (performance.now() - from < 1_000) {
        context.fillStyle = `hsl(${Math.round(performance.now() / 5) % 360} 80% 50%)`;
        context.fillRect(0, 0, canvas.width, canvas.height);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      recorder.stop();
      await stopped;
      return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
    });
    return Buffer.from(bytes);
  } finally {
    await page.close();
  }
}
