import { expect } from 'chai';
import { profiles, startService, type Answer, type Service } from './harness.ts';

type Headers = Readonly<Record<string, string>>;

interface Creation {
  readonly what: string;
  /** Creates something of this name. */
  readonly send: (headers: Headers, name: string) => Promise<Answer>;
  /** How many there are. */
  readonly count: () => Promise<number>;
  /** How many more there are by one request. */
  readonly made: number;
}

for (const profile of profiles)
  describe(`${profile}: idempotency keys`, function () {
    this.timeout(60_000);
    let service: Service;
    let keys = 0;
    const key = () => ({ 'idempotency-key': `key-${++keys}` });
    before(async () => {
      service = await startService(profile);
      await service.upload('lamp.txt', 'The lamp is lit at dusk.');
    });
    after(() => service.dispose());

    const json = (path: string, body: (name: string) => object) => ({
      send: (headers: Headers, name: string) =>
        service.call('POST', path, { body: body(name), headers }),
    });
    const listed = (path: string, created = 1) => ({
      count: async (): Promise<number> => (await service.call('GET', path)).json.total,
      made: created,
    });
    const uploading = (headers: Headers, name: string) => {
      const form = new FormData();
      for (const each of ['1', '2'])
        form.append('file', new Blob([`bytes of ${name}`]), `${each}.txt`);
      return service.call('POST', '/v1/uploads', { raw: form, headers });
    };
    const creations: readonly Creation[] = [
      { what: 'uploads', send: uploading, ...listed('/v1/objects', 2) },
      {
        what: 'notes',
        ...json('/v1/objects/notes', (content) => ({ content })),
        ...listed('/v1/objects'),
      },
      {
        what: 'links',
        // Never connected to: the address is private.
        ...json('/v1/objects/links', (name) => ({
          url: `http://127.0.0.1:1/${encodeURIComponent(name)}`,
        })),
        ...listed('/v1/objects'),
      },
      {
        what: 'folders',
        ...json('/v1/collections', (name) => ({ name })),
        ...listed('/v1/collections'),
      },
      { what: 'themes', ...json('/v1/themes', (name) => ({ name })), ...listed('/v1/themes') },
      { what: 'tokens', ...json('/v1/tokens', (name) => ({ name })), ...listed('/v1/tokens') },
      { what: 'chats', ...json('/v1/chats', (title) => ({ title })), ...listed('/v1/chats') },
      {
        what: 'questions',
        ...json('/v1/ask', (name) => ({ question: `When is the lamp ${name} lit?` })),
        ...listed('/v1/recent-queries'),
      },
    ];

    /** Status, headers and every byte of the response. */
    const reported = ({ status, text }: Answer) => ({ status, text });

    for (const { what, send, count, made } of creations) {
      it(`${what}: a repeat gets the first response without a new effect; another body is rejected`, async () => {
        const headers = key();
        const before = await count();
        const first = await send(headers, 'one');
        expect(first.status).to.equal(200);
        expect(first.headers.get('idempotent-replayed')).to.equal(null);
        expect((await count()) - before).to.equal(made);
        const again = await send(headers, 'one');
        expect(reported(again)).to.deep.equal(reported(first));
        expect(again.headers.get('idempotent-replayed')).to.equal('true');
        const reused = await send(headers, 'other');
        expect([reused.status, reused.json.code]).to.deep.equal([409, 'idempotency_key_reused']);
        expect((await count()) - before).to.equal(made);
      });

      it(`${what}: one of many concurrent requests is executed`, async () => {
        const headers = key();
        const before = await count();
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => send(headers, 'of many')),
        );
        const [done, refused] = [
          answers.filter(({ status }) => status === 200),
          answers.filter(({ status }) => status !== 200),
        ];
        for (const answer of refused) {
          expect([answer.status, answer.json.code]).to.deep.equal([409, 'idempotency_in_progress']);
          expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
        }
        expect(new Set(done.map(({ text }) => text)).size).to.equal(1);
        expect((await count()) - before).to.equal(made);
      });
    }

    it('is remembered after a restart, a stop and a kill', async () => {
      const stored = await Promise.all(
        creations.slice(0, 2).map(async ({ send, count }) => {
          const headers = key();
          return { send, headers, first: await send(headers, 'kept'), count };
        }),
      );
      const total = await stored[0]?.count();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        service = await service.restart(signal);
        for (const { send, headers, first } of stored)
          expect(reported(await send(headers, 'kept'))).to.deep.equal(reported(first));
      }
      expect(await stored[0]?.count()).to.equal(total);
    });

    const ifTeam = profile === 'team' ? it : () => undefined;
    ifTeam('is known to every process', async () => {
      const other = await service.beside();
      try {
        const call = { body: { content: 'once in the team' }, headers: key() };
        const answers = await Promise.all(
          [service, other, service, other].map((each) =>
            each.call('POST', '/v1/objects/notes', call),
          ),
        );
        const ids = answers.filter(({ status }) => status === 200).map((it) => it.json.id);
        expect(new Set(ids).size).to.equal(1);
        const later = await other.call('POST', '/v1/objects/notes', call);
        expect(later.json.id).to.equal(ids[0]);
      } finally {
        await other.stop();
      }
    });

    it('belongs to one owner and to one path', async () => {
      const headers = key();
      const mate = (await service.newOwner()).token;
      const body = { name: 'Mine' };
      const [mine, theirs, elsewhere] = [
        await service.call('POST', '/v1/themes', { body, headers }),
        await service.call('POST', '/v1/themes', { body, headers, token: mate }),
        await service.call('POST', '/v1/collections', { body, headers }),
      ];
      expect([mine.status, theirs.status]).to.deep.equal([200, 200]);
      expect(theirs.json.id).not.to.equal(mine.json.id);
      // Under another path it is another key: both responses are stored.
      expect(elsewhere.status).to.equal(200);
      expect(elsewhere.json.id).not.to.equal(mine.json.id);
      const again = await service.call('POST', '/v1/collections', { body, headers });
      expect(again.json).to.deep.equal(elsewhere.json);
      const texts = await Promise.all(['Tea.', 'Milk.'].map((text) => service.upload('a', text)));
      for (const { json } of texts) {
        const restored = await service.call(
          'POST',
          `/v1/objects/${json.items[0].id}/versions/1/restore`,
          { headers },
        );
        expect([restored.status, restored.json.id]).to.deep.equal([200, json.items[0].id]);
      }
      // Another token of the same owner is the same owner.
      const { token } = (await service.call('POST', '/v1/tokens', { body: { name: 'second' } }))
        .json;
      const second = await service.call('POST', '/v1/themes', { body, headers, token });
      expect(second.json.id).to.equal(mine.json.id);
    });

    it('is free again after a rejected request', async () => {
      const missing = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
      const headers = key();
      const send = (body: object) => service.call('POST', '/v1/objects/notes', { body, headers });
      expect((await send({ content: 1 })).status).to.equal(422);
      expect((await send({ content: 'x', collection_id: missing })).status).to.equal(404);
      const note = await send({ content: 'at last' });
      expect(note.status).to.equal(200);
      expect((await send({ content: 'at last' })).json.id).to.equal(note.json.id);
      const requested = { ...key() };
      const ask = (question: string) =>
        service.call('POST', '/v1/ask', { body: { question }, headers: requested });
      expect((await ask(' ')).json.code).to.equal('empty_text');
      expect((await ask('When is the lamp lit?')).status).to.equal(200);
    });

    it('has 1 to 255 characters', async () => {
      for (const [value, type] of [
        ['', 'string_too_short'],
        ['k'.repeat(256), 'string_too_long'],
      ] as const)
        for (const { what, send, count } of creations) {
          const before = await count();
          const refused = await send({ 'idempotency-key': value }, 'never');
          expect(refused.status, what).to.equal(422);
          expect(refused.json.detail, what).to.have.length(1);
          expect(refused.json.detail[0]).to.deep.include({
            type,
            loc: ['header', 'idempotency-key'],
            input: value,
          });
          expect(await count(), what).to.equal(before);
        }
      for (const value of ['k', 'k'.repeat(255)]) {
        const send = () =>
          service.call('POST', '/v1/chats', { body: {}, headers: { 'idempotency-key': value } });
        const first = await send();
        expect(first.status).to.equal(200);
        expect((await send()).json.id).to.equal(first.json.id);
      }
    });
  });
