import { expect } from 'chai';
import { profiles, startService } from './harness.ts';

for (const profile of profiles)
  describe(`${profile}: the end of the process`, function () {
    this.timeout(60_000);

    it('comes within the grace period of a stalled upload, also after a stream of changes', async () => {
      const service = await startService(profile);
      const headers = { authorization: `Bearer ${service.token}`, 'tus-resumable': '1.0.0' };
      const changes = await fetch(`${service.base}/v1/changes`, { headers });
      const created = await service.call('POST', '/v1/uploads/resumable', {
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '1000000',
          'upload-metadata': `filename ${btoa('a.bin')}`,
        },
      });
      const { pathname } = new URL(created.headers.get('location') ?? '', service.base);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const upload: RequestInit = {
        method: 'PATCH',
        headers: {
          ...headers,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        },
        body: readable,
        duplex: 'half',
      };
      const cut = fetch(service.base + pathname, upload).catch(() => undefined);
      // Resolves once the bytes have been taken from the stream.
      await writer.write(new Uint8Array(5_000));
      await service.call('GET', '/v1/me');
      expect(await service.stop()).to.equal(0);
      await cut;
      await changes.text().catch(() => '');
      await service.dispose();
    });
  });
