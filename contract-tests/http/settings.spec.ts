import { expect } from 'chai';
import { profiles, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const DEFAULTS = {
  auto_rename_mode: 'suggest',
  calendar_reminders_messenger: false,
  chat_memory: true,
  proactive: false,
  timezone: 'UTC',
  prefs: {},
  ui: {},
};

for (const profile of profiles)
  describe(`${profile}: settings`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    const fresh = async () => {
      const { token } = await service.newOwner();
      const get = async () => (await service.call('GET', '/v1/settings', { token })).json;
      const put = (body: unknown) => service.call('PUT', '/v1/settings', { token, body });
      const putRaw = (raw: string) =>
        service.call('PUT', '/v1/settings', {
          token,
          raw,
          headers: { 'content-type': 'application/json' },
        });
      return { get, put, putRaw };
    };

    it('have defaults at first', async () => {
      const { get } = await fresh();
      expect(await get()).to.deep.equal(DEFAULTS);
    });

    it('change the given fields, and null counts as absent', async () => {
      const { get, put } = await fresh();
      await put({ ui: { theme: 'dark', panes: [1, { a: null }] }, proactive: true });
      const answer = await put({
        auto_rename_mode: 'dont_rename',
        calendar_reminders_messenger: true,
        chat_memory: false,
        proactive: null,
        timezone: 'Europe/Berlin',
        ui: null,
        prefs: { sneaky: true },
        unknown: 1,
      });
      expect(answer.status).to.equal(200);
      const expected = {
        auto_rename_mode: 'dont_rename',
        calendar_reminders_messenger: true,
        chat_memory: false,
        proactive: true,
        timezone: 'Europe/Berlin',
        prefs: {},
        ui: { theme: 'dark', panes: [1, { a: null }] },
      };
      expect(answer.json).to.deep.equal(expected);
      expect(await get()).to.deep.equal(expected);
      expect((await put({})).json).to.deep.equal(expected);
    });

    it('replace `ui` as a whole', async () => {
      const { get, put } = await fresh();
      await put({ ui: { a: 1, b: 2 } });
      await put({ ui: { b: 3 } });
      expect((await get()).ui).to.deep.equal({ b: 3 });
    });

    it('measure `ui` as compact JSON in UTF-8', async () => {
      const { get, put, putRaw } = await fresh();
      const of = (bytes: number) => ({ k: 'ж'.repeat((bytes - 8) / 2) });
      expect(Buffer.byteLength(JSON.stringify(of(16_384)))).to.equal(16_384);
      expect((await put({ ui: of(16_384) })).status).to.equal(200);
      const spacious = JSON.stringify({ ui: of(16_384) }, null, 20).padEnd(40_000);
      expect((await putRaw(spacious)).status).to.equal(200);
      const astral = { k: '😀'.repeat(4_094) };
      expect((await put({ ui: astral })).status).to.equal(200);
      for (const size of [16_386, 64_000, 1_000_000, 5_000_000]) {
        const refused = await put({ ui: of(size), proactive: true });
        expect(refused.status, String(size)).to.equal(400);
        expect(refused.json).to.include({ code: 'ui_too_large' });
      }
      expect(await get()).to.deep.equal({ ...DEFAULTS, ui: astral });
      expect((await put({ ui: of(9_000_000) })).status).to.equal(413);
    });

    it('reject a `ui` that is too deep with its own error, and other depths as everywhere', async () => {
      const { get, putRaw } = await fresh();
      const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
      expect((await putRaw(`{"proactive":true,"ui":${nested(63)}}`)).status).to.equal(200);
      for (const levels of [65, 5_000]) {
        const deep = await putRaw(`{"chat_memory":false,"ui":${nested(levels)}}`);
        expect(deep.json, String(levels)).to.include({ code: 'ui_too_large' });
        expect(deep.status).to.equal(400);
      }
      const elsewhere = await putRaw(`{"ui":{},"other":${nested(65)}}`);
      expect(elsewhere.status).to.equal(422);
      expect((await get()).chat_memory).to.equal(true);
    });

    it('report errors in a value, and change nothing', async () => {
      const { get, put } = await fresh();
      for (const [field, value, type] of [
        ['timezone', 'Mars/Olympus', 'value_error'],
        ['timezone', '+03:00', 'value_error'],
        ['timezone', '', 'string_too_short'],
        ['timezone', 3, 'string_type'],
        ['auto_rename_mode', 'sometimes', 'literal_error'],
        ['proactive', 'yes', 'bool_type'],
        ['ui', [], 'dict_type'],
        ['ui', { a: '\0' }, 'value_error'],
      ] as const) {
        const { status, json } = await put({ chat_memory: false, [field]: value });
        expect(status, field).to.equal(422);
        expect(json.detail[0], JSON.stringify(value)).to.include({ type });
        expect(json.detail[0].loc.slice(0, 2)).to.deep.equal(['body', field]);
      }
      expect(await get()).to.deep.equal(DEFAULTS);
    });

    it('preserve all keys of `ui`, without prototype pollution', async () => {
      const { get, putRaw } = await fresh();
      const ui = '{"__proto__":{"proactive":true},"constructor":{"prototype":1},"toString":2,"":3}';
      const sent = `{"__proto__":{"proactive":true},"constructor":{"chat_memory":false},"ui":${ui}}`;
      expect((await putRaw(sent)).status).to.equal(200);
      const stored = await get();
      expect(JSON.stringify(stored.ui)).to.equal(ui);
      expect({ ...stored, ui: {} }).to.deep.equal(DEFAULTS);
      const other = await fresh();
      expect(await other.get()).to.deep.equal(DEFAULTS);
    });
  });
