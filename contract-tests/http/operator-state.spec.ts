import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually, profiles, startService, type Service } from './harness.ts';

/** The service never lets its clock go back, so it may be a moment ahead of the one read here. */
const CLOCKS_MS = 1_000;

interface Queue {
  readonly waiting: number;
  readonly running: number;
}

for (const profile of profiles)
  describe(`${profile}: the state of the installation`, function () {
    this.timeout(240_000);
    let service: Service;
    let operator: string;
    before(async () => {
      service = await startService(profile);
      operator = (await service.newOwner('operator')).token;
    });
    after(() => service.dispose());

    const state = (token: string) => service.call('GET', '/v1/operator/state', { token });
    const rights = async (token: string) =>
      (await service.call('GET', '/v1/operator', { token })).json;

    it('is shown to operators alone', async () => {
      const { token: other } = await service.newOwner();
      expect(await rights(operator)).to.deep.equal({ is_operator: true });
      expect(await rights(other)).to.deep.equal({ is_operator: false });
      // The first owner of the installation.
      expect(await rights(service.token)).to.deep.equal({ is_operator: profile !== 'team' });
      expect((await state(operator)).status).to.equal(200);
      const { status, json } = await state(other);
      expect([status, json.code]).to.deep.equal([403, 'forbidden']);
      expect((await service.call('GET', '/v1/operator/state', { token: null })).status).to.equal(
        401,
      );
    });

    it('needs the scope `account`, and a token that is bound to no folder', async () => {
      const folder = await service.call('POST', '/v1/collections', {
        token: operator,
        body: { name: 'Cellar' },
      });
      const issue = async (body: object): Promise<string> => {
        const { json } = await service.call('POST', '/v1/tokens', {
          token: operator,
          body: { name: 'monitoring', ...body },
        });
        return json.token;
      };
      const without = await issue({ scopes: ['read', 'write'] });
      expect((await state(without)).status).to.equal(403);
      const enough = await issue({ scopes: ['account'] });
      expect((await state(enough)).status).to.equal(200);
      const bound = await issue({ scopes: ['account'], collection_ids: [folder.json.id] });
      expect((await state(bound)).status).to.equal(403);
    });

    it('tells versions, files and tasks, and nothing of any owner', async () => {
      const owner = await service.newOwner();
      const earlier = (await state(operator)).json;
      const { json: created } = await service.uploadAll(
        [['plum-orchard.txt', 'x'.repeat(37)]],
        {},
        {
          token: owner.token,
        },
      );
      await service.settled(created.items[0].id, { token: owner.token });
      const { json, text } = await state(operator);
      expect(Object.keys(json)).to.deep.equal(
        'version schema profile runtime started_at storage queues backup drills'.split(' '),
      );
      expect(json).to.include({ profile, runtime: process.versions.node });
      expect(json.schema).to.be.above(0);
      expect(json.storage.stored_in).to.equal('folder');
      expect(json.storage.files - earlier.storage.files).to.equal(1);
      expect(json.storage.bytes - earlier.storage.bytes).to.equal(37);
      expect(json.storage.free_bytes).to.be.above(0);
      expect(json.queues).to.be.an('array');
      expect(text).not.to.include(owner.id);
      expect(text).not.to.include('plum');
    });

    it('counts nothing hidden, whether the zone is locked or open', async () => {
      const owner = await service.newOwner('operator');
      const { token } = owner;
      const counted = async () => {
        const { storage, queues } = (await state(token)).json;
        return { files: storage.files, bytes: storage.bytes, queues };
      };
      await eventually(
        async () => (await counted()).queues,
        (queues) => queues.every(({ waiting, running }: Queue) => waiting + running === 0),
      );
      const before = await counted();
      await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '48151623' } });
      const { json } = await service.uploadAll(
        [['hidden.txt', 'The spring behind the house.']],
        { is_hidden: 'true' },
        { token },
      );
      expect(await counted()).to.deep.equal(before);
      await service.call('POST', '/v1/hidden-pin/lock', { token });
      expect(await counted()).to.deep.equal(before);
      expect(json.items).to.have.length(1);
    });

    it('tells the last backup', async () => {
      expect((await state(operator)).json.backup).to.equal(null);
      const file = join(service.dataDir, '..', `operator-${process.pid}-${profile}.zip`);
      const from = Date.now();
      const made = await service.cli('backup', file);
      await rm(file);
      const { backup } = (await state(operator)).json;
      expect(made.files).to.be.above(0);
      expect(backup).to.include({ complete: true });
      expect(Object.keys(backup)).to.deep.equal(['at', 'complete']);
      expect(Date.parse(backup.at)).to.be.within(from - CLOCKS_MS, Date.now() + CLOCKS_MS);
    });

    it('tells the last drills, and ignores a report that is none', async () => {
      const folder = join(service.dataDir, 'status');
      await mkdir(folder, { recursive: true });
      const path = join(folder, 'drills.json');
      for (const wrong of ['', '{"outcomes":', '[]', 'null', '{"outcomes": 7}']) {
        await writeFile(path, wrong);
        expect((await state(operator)).json.drills, wrong).to.equal(null);
      }
      const sound = { lost: [], twice: [], wrong: [], damage: [] };
      await writeFile(
        path,
        JSON.stringify({
          seconds: 15,
          outcomes: [
            { drill: 'kill-serve', profile: 'team', ...sound },
            { drill: 'disk-full', profile: 'standalone', ...sound, lost: ['upload 7'] },
          ],
          left_out: [{ drill: 'redis-kill', profile: 'team', why: 'no Redis' }],
          broken: ['uncaught (team): It did not start.'],
        }),
      );
      const { drills } = (await state(operator)).json;
      expect(drills.items).to.deep.equal([
        { name: 'kill-serve', profile: 'team', passed: true },
        { name: 'disk-full', profile: 'standalone', passed: false },
        { name: 'uncaught', profile: 'team', passed: false },
      ]);
      expect(drills.skipped).to.equal(1);
    });
  });
