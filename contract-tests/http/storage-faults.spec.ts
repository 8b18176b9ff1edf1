import { expect } from 'chai';
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { Random } from '../fuzz/random.ts';
import { startLocalServer, type Site } from '../local-server.ts';
import { SPEC_SEED } from '../seed.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const KILLS = 6;
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The writes and their acknowledgements, recorded outside of the process that dies. */
class Ledger {
  readonly hashes = new Map<string, string>();
  /** Possible names of an object: the last acknowledged one, and those sent since. */
  readonly names = new Map<string, string[]>();
  unanswered = 0;

  stored({ json }: Answer, hash: string): void {
    const { id, filename } = json.items?.[0] ?? json;
    this.hashes.set(id, hash);
    this.names.set(id, [filename]);
  }
}

for (const profile of profiles)
  describe(`${profile}: faults`, function () {
    this.timeout(120_000);
    let service: Service;
    let silent: Site;
    const random = new Random(SPEC_SEED, 'faults', profile);
    before(async () => {
      silent = await startLocalServer(() => undefined);
      const allowed = `127.0.0.1:${silent.port}`;
      service = await startService(profile, { LOG_LEVEL: 'fatal', OUTBOUND_ALLOW: allowed });
    });
    after(async () => {
      await service.dispose();
      await silent.close();
    });

    const everything = async (): Promise<Answer['json'][]> => {
      const all = [];
      for (let cursor = ''; ;) {
        const { json } = await service.call('GET', `/v1/objects?limit=100${cursor}`);
        all.push(...json.items);
        if (json.next_cursor === null) return all;
        cursor = `&cursor=${json.next_cursor}`;
      }
    };
    const bytesOf = async (id: string): Promise<Uint8Array> => {
      const response = await fetch(`${service.base}/v1/objects/${id}/content`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      expect(response.status, id).to.equal(200);
      return new Uint8Array(await response.arrayBuffer());
    };
    const temporaryFiles = async (): Promise<readonly string[]> =>
      readdir(join(service.dataDir, 'incoming'));

    /** Each client writes sequentially until the process is dead. */
    const writers = (ledger: Ledger): Promise<unknown> => {
      let gone = false;
      const whileItLives = async (write: () => Promise<void>) => {
        while (!gone)
          await write().catch((error: unknown) => {
            if (!(error instanceof TypeError)) throw error;
            gone = true;
            ledger.unanswered++;
          });
      };
      let turn = 0;
      const upload = async () => {
        const bytes = randomBytes(1 + Math.floor(random.next() * 400_000));
        ledger.stored(await service.upload(`${bytes[0]}.bin`, bytes), sha256(bytes));
      };
      const note = async () => {
        const content = `The lamp was lit ${randomBytes(8).toString('hex')} times.`;
        const answer = await service.call('POST', '/v1/objects/notes', { body: { content } });
        ledger.stored(answer, sha256(content));
      };
      const rename = async () => {
        const ids = [...ledger.names.keys()];
        const id = ids[turn++ % ids.length];
        if (id === undefined) return pause(5) as Promise<void>;
        const filename = `renamed ${turn}.txt`;
        const names = ledger.names.get(id) ?? [];
        names.push(filename);
        const { status } = await service.call('PATCH', `/v1/objects/${id}`, { body: { filename } });
        expect(status).to.equal(200);
        names.splice(0, names.indexOf(filename));
      };
      return Promise.all([upload, upload, upload, note, note, rename].map(whileItLives));
    };

    it(`killed ${KILLS} times during writes, it has lost nothing acknowledged`, async () => {
      const ledger = new Ledger();
      for (let kill = 0; kill < KILLS; kill++) {
        const known = ledger.hashes.size;
        const writing = writers(ledger);
        while (ledger.hashes.size < known + 8) await pause(5);
        await pause(random.next() * 100);
        service = await service.restart('SIGKILL');
        await writing;
        expect(await temporaryFiles(), 'left over').to.deep.equal([]);
      }
      const objects = await everything();
      const ids = new Set(objects.map(({ id }) => id as string));
      expect(ids.size).to.equal(objects.length);
      expect([...ledger.hashes.keys()].filter((id) => !ids.has(id))).to.deep.equal([]);
      expect(objects.length).to.be.within(
        ledger.hashes.size,
        ledger.hashes.size + ledger.unanswered,
      );
      for (const { id } of objects) {
        const object = await service.settled(id);
        const bytes = await bytesOf(id);
        expect(sha256(bytes)).to.equal(object.content_hash);
        expect(bytes.length).to.equal(object.size);
        if (ledger.hashes.has(id)) expect(object.content_hash).to.equal(ledger.hashes.get(id));
        if (ledger.names.has(id)) expect(ledger.names.get(id)).to.include(object.filename);
        expect(object.status).to.equal('ready');
      }
    });

    it('repeats an interrupted request once with the same key', async () => {
      const keys = [...Array(30).keys()];
      const send = (n: number) =>
        service.call('POST', '/v1/objects/notes', {
          body: { content: `Asked again, number ${n}.` },
          headers: { 'idempotency-key': `died-${n}` },
        });
      const dying = keys.map((n) => send(n).catch(() => undefined));
      await Promise.race(dying);
      service = await service.restart('SIGKILL');
      await Promise.all(dying);
      const again = await Promise.all(keys.map(send));
      // Other processes of a team may be alive and at it: there a key waits for its time.
      const waiting = again.filter(({ json }) => json.code === 'idempotency_in_progress');
      if (profile === 'standalone') expect(waiting).to.deep.equal([]);
      const done = again.filter(({ status }) => status === 200);
      expect(done.length + waiting.length).to.equal(keys.length);
      for (const { json } of done) await service.settled(json.id);
      const found = await service.call('GET', '/v1/search?q=%22Asked%20again%22&limit=100');
      expect(found.json.total).to.equal(done.length);
    });

    it('continues pending tasks after a stop', async () => {
      const ups = await Promise.all(
        Array.from({ length: 20 }, (_, n) => service.upload(`${n}.txt`, `Pending lamp ${n}.`)),
      );
      expect(await service.stop()).to.equal(0);
      service = await service.restart();
      for (const { json } of ups)
        expect((await service.settled(json.items[0].id)).status).to.equal('ready');
      const found = await service.call('GET', '/v1/search?q=%22Pending%20lamp%22&limit=100');
      expect(found.json.items).to.have.length(20);
    });

    if (profile === 'team')
      it('ends a task as failed that crashed its worker a dozen times, though the nudge is redelivered each time', async () => {
        const rows = new pg.Client({ connectionString: service.databaseUrl });
        await rows.connect();
        try {
          const body = { url: silent.origin };
          const { id } = (await service.call('POST', '/v1/objects/links', { body })).json;
          await eventually(() => Promise.resolve(silent.visits()), Boolean);
          service = await service.restart('SIGKILL');
          // Its first worker is dead. The test does not wait for eleven more, and for each lease to expire.
          const aged = await rows.query(
            `update tasks set attempts = 12, lease_until = 0
              where subject = $1 and state = 'running' and attempts = 1`,
            [id],
          );
          expect(aged.rowCount).to.equal(1);
          const { status, error } = await service.settled(id);
          expect(status).to.equal('failed');
          expect(error).to.include('It ended its worker.');
          expect(silent.visits()).to.equal(1);
        } finally {
          await rows.end();
        }
      });

    it('loses none of fifty concurrent updates of two fields of one object', async () => {
      const { id } = (await service.upload('fifty.txt', 'One of many.')).json.items[0];
      await service.settled(id);
      const patch = async (body: object) =>
        expect((await service.call('PATCH', `/v1/objects/${id}`, { body })).status).to.equal(200);
      // Sequentially in each field, both fields concurrently: the last value of each is known.
      const chain = async (bodies: readonly object[]) => {
        for (const body of bodies) await patch(body);
      };
      const each = [...Array(25).keys()];
      await Promise.all([
        chain(each.map((n) => ({ filename: `${n}.txt` }))),
        chain(each.map((n) => ({ is_hidden: n % 2 === 0 }))),
      ]);
      const card = async () => (await service.call('GET', `/v1/objects/${id}`)).json;
      expect(await card()).to.deep.include({ filename: '24.txt', is_hidden: true });
      await patch({ is_hidden: false });
      await Promise.all(
        each.flatMap(() => [patch({ filename: 'all.txt' }), patch({ is_hidden: true })]),
      );
      expect(await card()).to.deep.include({ filename: 'all.txt', is_hidden: true, version: 1 });
    });
  });
