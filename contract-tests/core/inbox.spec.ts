import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryInbox } from '../../adapters/memory/inbox.ts';
import { isLeftAlone } from '../../core/inbox/index.ts';
import { BUILT_IN_ROLES } from '../../core/identity/index.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends, type Backend } from '../backends.ts';
import { openInboxWorld, SETTLE_MS } from './inbox-fixture.ts';

const CLAIM_MS = 15_000;

describe('names that are left alone', () => {
  const left = ['.a', '.taken', 'a.part', 'b.PDF.crdownload', '~$letter.docx', 'x.tmp'];
  left.push('Thumbs.db', 'desktop.ini', '.~lock.a.odt#', 'a.download');
  for (const name of left) it(`include ${name}`, () => expect(isLeftAlone(name)).to.equal(true));
  for (const name of ['a.pdf', 'part', 'a.parts', 'constructor', '__proto__', 'a~', 'tmp.txt'])
    it(`do not include ${name}`, () => expect(isLeftAlone(name)).to.equal(false));
});

for (const [name, open] of backends)
  describe(`${name}: the inbox`, () => {
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());

    it('stores a file once it has not changed for a while, and moves it', async () => {
      const it = await openInboxWorld(backend);
      it.put('a.txt', 'one');
      await it.scan();
      await it.scan(SETTLE_MS - 1);
      expect(await it.names()).to.deep.equal([]);
      it.put('a.txt', 'one and more');
      await it.scan(1);
      await it.scan(SETTLE_MS - 1);
      expect(await it.names()).to.deep.equal([]);
      await it.scan(1);
      expect(await it.names()).to.deep.equal(['a.txt']);
      expect(it.moved('.taken/a.txt')).to.equal('one and more');
      expect(it.inbox.waiting).to.deep.equal([]);
      const [object] = await it.objects();
      const { items } = await it.core.objects.listVersions(it.caller, object?.id ?? '', {
        limit: 10,
        offset: 0,
      });
      expect(items.map(({ origin }) => origin)).to.deep.equal(['inbox']);
      expect(it.reports.filter((line) => !/named like/.test(line))).to.deep.equal([]);
    });

    it('puts subfolders into themes and folders, as a folder drop does, in one run', async () => {
      const it = await openInboxWorld(backend);
      for (const path of ['a.txt', 'Trip/b.txt', 'Trip/day 1/c.txt', 'Trip/day 1/d.txt'])
        it.put(path, path);
      await it.settle();
      const { items } = await it.core.objects.listObjects(it.caller, {}, { limit: 9, offset: 0 });
      const placed = items.map(({ object, collectionName }) => [object.filename, collectionName]);
      expect(placed).to.have.deep.members([
        ['a.txt', null],
        ['b.txt', 'Trip'],
        ['c.txt', 'day 1'],
        ['d.txt', 'day 1'],
      ]);
      const runs = await it.core.organize.listReorganizations(it.caller, { limit: 9, offset: 0 });
      expect(runs.items.map(({ moved }) => moved)).to.deep.equal([3]);
    });

    it('stores equal bytes again, as uploads do by default', async () => {
      const it = await openInboxWorld(backend);
      it.put('a.txt', 'same');
      await it.settle();
      it.put('a.txt', 'same');
      it.put('b.txt', 'same');
      await it.settle();
      expect(await it.names()).to.deep.equal(['a.txt', 'a.txt', 'b.txt']);
      expect(it.moved('.taken/a (2).txt')).to.equal('same');
    });

    it('does not store a file twice that could not be moved, in this process or the next', async () => {
      const it = await openInboxWorld(backend);
      it.inbox.isStuck = true;
      it.put('a.txt', 'one');
      await it.settle();
      await it.scan(60_000);
      expect(await it.names()).to.deep.equal(['a.txt']);
      const { reads } = it.inbox;
      expect(reads).to.equal(1);
      expect((await it.health())?.status).to.equal('failed');
      expect(it.reports).to.include(
        'inbox: 1 files of INBOX_DIR can not be moved to .taken or .refused.',
      );
      const next = await openInboxWorld(backend, it.inbox);
      next.world.now = it.world.now;
      await next.settle();
      it.inbox.isStuck = false;
      await next.scan(60_000);
      expect(await it.names()).to.deep.equal(['a.txt']);
      expect(it.moved('.taken/a.txt')).to.equal('one');
      // The record has ended with the move: the same file is a new one.
      it.put('a.txt', 'one');
      await next.settle();
      expect(await it.names()).to.deep.equal(['a.txt', 'a.txt']);
    });

    it('stores another file that replaced one which could not be moved', async () => {
      const it = await openInboxWorld(backend);
      it.inbox.isStuck = true;
      it.put('a.txt', 'one');
      await it.settle();
      it.put('a.txt', 'two');
      it.inbox.isStuck = false;
      const next = await openInboxWorld(backend, it.inbox);
      next.world.now = it.world.now;
      await next.settle();
      expect(await it.names()).to.deep.equal(['a.txt', 'a.txt']);
      expect(it.moved('.taken/a.txt')).to.equal('two');
    });

    it('lets two processes work on one folder, each file in one of them', async () => {
      const it = await openInboxWorld(backend);
      const other = await openInboxWorld(backend, it.inbox);
      const names = Array.from({ length: 30 }, (_, nth) => `${String(nth).padStart(2, '0')}.txt`);
      for (const each of names) it.put(each, `number ${each}`);
      for (let n = 0; n < 6; n++) await Promise.all([it.scan(), other.scan()]);
      expect(await it.names()).to.deep.equal(names);
      expect(it.inbox.waiting).to.deep.equal([]);
      expect([...it.inbox.moved.keys()].some((key) => / \(2\)/.test(key))).to.equal(false);
    });

    it('waits for the claim of a process that has died, and discards what it has read', async () => {
      const it = await openInboxWorld(backend);
      it.put('a.txt', 'one and two');
      await it.scan();
      let reached: () => void;
      const reading = new Promise<void>((resolve) => (reached = resolve));
      let wake = (): void => undefined;
      it.inbox.onRead = () => {
        it.inbox.onRead = () => undefined;
        reached();
        return new Promise<void>((resolve) => (wake = resolve));
      };
      const first = it.scan();
      await reading;
      const other = await openInboxWorld(backend, it.inbox);
      other.world.now = it.world.now;
      await other.scan(0);
      await other.scan();
      expect(await it.names(), 'while the claim holds').to.deep.equal([]);
      await other.scan(CLAIM_MS);
      expect(await it.names()).to.deep.equal(['a.txt']);
      // The first process was only slow: its commit comes too late.
      wake();
      await first;
      expect(await it.names()).to.deep.equal(['a.txt']);
      expect(await it.blobCount()).to.equal(0);
    });

    it('refuses a file over the quota with the reason, and takes it once there is room', async () => {
      const roles = { ...BUILT_IN_ROLES };
      for (const role of Object.keys(roles))
        roles[role] = {
          requestsPerMinute: 100,
          questions: null,
          enrichments: null,
          storageBytes: 5,
        };
      const it = await openInboxWorld(backend, new MemoryInbox(), { roles });
      it.put('a.txt', 'four');
      await it.settle();
      it.put('b.txt', 'four more');
      await it.settle();
      expect(await it.names()).to.deep.equal(['a.txt']);
      expect(it.moved('.refused/b.txt.txt')).to.equal('The limit of this plan is used up.\n');
      const [object] = await it.objects();
      await it.core.objects.deleteObject(it.caller, object?.id ?? '', true);
      it.put('b.txt', 'five5');
      await it.settle();
      expect(await it.names()).to.deep.equal(['b.txt']);
    });

    it('refuses by the visible objects only while the zone is locked', async () => {
      const outcome = async (isHidden: boolean) => {
        const roles = { ...BUILT_IN_ROLES };
        for (const role of Object.keys(roles))
          roles[role] = {
            requestsPerMinute: 99,
            questions: null,
            enrichments: null,
            storageBytes: 9,
          };
        const it = await openInboxWorld(backend, new MemoryInbox(), { roles });
        const { token } = await it.core.hiddenZone.setPin(it.caller, { pin: '1234' });
        const unlocked = { ...it.caller, hiddenToken: token };
        if (isHidden)
          await it.core.objects.addFiles(unlocked, [await it.world.file('h.txt', 'hidden')], {
            isHidden: true,
          });
        await it.core.hiddenZone.lockZone(unlocked);
        it.put('Trip/a.txt', 'hidden');
        await it.settle();
        it.put('b.txt', 'too much');
        await it.settle();
        const health = await it.health();
        const files = [...it.inbox.moved].map(([key, text]) => [key.slice(36), text]);
        return [files, health?.status, health?.detail.replace(/at \S+/, ''), await it.names()];
      };
      expect(await outcome(true)).to.deep.equal(await outcome(false));
    });
  });

describe('memory: files of the inbox', () => {
  let backend: Backend;
  before(async () => {
    const [, open] = backends[0] as (typeof backends)[number];
    backend = await open();
  });
  after(() => backend.close());

  const REFUSED: readonly (readonly [
    path: string,
    text: string,
    kind: 'file' | 'link' | 'other',
    reason: RegExp,
  ])[] = [
    ['link.txt', '/etc/passwd', 'link', /symbolic link/],
    ['pipe', '', 'other', /pipe/],
    ['large.txt', 'x'.repeat(1_000_001), 'file', /larger than 1000000 bytes/],
    ['back\\slash.txt', 'x', 'file', /backslash/],
    ['new\nline.txt', 'x', 'file', /not a valid file name/],
    ['CON/a.txt', 'x', 'file', /reserved/],
    [`${'d/'.repeat(33)}a.txt`, 'x', 'file', /levels/],
    [`${'n'.repeat(121)}/a.txt`, 'x', 'file', /longer than 120/],
  ];
  for (const [path, text, kind, reason] of REFUSED)
    it(`refuses ${JSON.stringify(path.slice(0, 20))} with the reason`, async () => {
      const it = await openInboxWorld(backend);
      it.put(path, text, { kind });
      await it.settle();
      expect(await it.names()).to.deep.equal([]);
      expect(it.moved(`.refused/${path}.txt`)).to.match(reason);
      expect((await it.health())?.detail).to.include('1 file refused.');
      expect(await it.blobCount()).to.equal(0);
    });

  for (const odd of ['constructor', '__proto__', ' spaced.txt ', 'x'.repeat(255), 'é'.repeat(120)])
    it(`takes ${JSON.stringify(odd.slice(0, 14))}`, async () => {
      const it = await openInboxWorld(backend);
      it.put(odd, 'x');
      await it.settle();
      expect(await it.names()).to.deep.equal([odd.trim()]);
    });

  it('takes an empty file', async () => {
    const it = await openInboxWorld(backend);
    it.put('empty.txt', '');
    await it.settle();
    expect((await it.objects()).map(({ size }) => size)).to.deep.equal([0]);
  });

  it('refuses a file that may not be read', async () => {
    const it = await openInboxWorld(backend);
    it.put('a.txt', 'x', { isUnreadable: true });
    await it.settle();
    expect(it.moved('.refused/a.txt.txt')).to.match(/no permission/);
  });

  it('never stores a file that does not stop to change', async () => {
    const it = await openInboxWorld(backend);
    for (let n = 1; n < 20; n++) {
      it.put('log.txt', 'line\n'.repeat(n));
      await it.scan();
    }
    it.inbox.onRead = (id) => it.inbox.put(id, `${Math.random()} changed`);
    await it.settle();
    await it.settle();
    expect(await it.names()).to.deep.equal([]);
    expect(await it.blobCount()).to.equal(0);
    expect(it.inbox.moved.size).to.equal(0);
  });

  it('forgets a file that disappears, before and while it is read', async () => {
    const it = await openInboxWorld(backend);
    it.put('a.txt', 'x');
    await it.scan();
    it.inbox.remove(`${it.folder}/a.txt`);
    await it.settle();
    it.put('b.txt', 'disappears');
    it.inbox.onRead = (id) => it.inbox.remove(id);
    await it.settle();
    expect(await it.names()).to.deep.equal([]);
    expect(await it.blobCount()).to.equal(0);
    expect(it.reports.filter((line) => !/named like/.test(line))).to.deep.equal([]);
  });

  it('tries again later if the storage is full, and stores the file once', async () => {
    const it = await openInboxWorld(backend);
    const write = it.world.blobs.write.bind(it.world.blobs);
    it.world.blobs.write = () => Promise.reject(new UnavailableError('storage', 'It is full.'));
    it.put('a.txt', 'x');
    await it.scan();
    const error = await it.scan().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(UnavailableError);
    // The same outage is not reported for each file and each scan.
    await it.scan(60_000);
    expect(it.inbox.waiting).to.have.length(1);
    it.world.blobs.write = write;
    await it.scan(600_000);
    await it.settle();
    expect(await it.names()).to.deep.equal(['a.txt']);
  });

  it('reports a folder that can not be read once, and in the health', async () => {
    const it = await openInboxWorld(backend);
    it.inbox.isDown = true;
    let thrown = 0;
    for (let n = 0; n < 4; n++) await it.scan(20_000).catch(() => thrown++);
    expect(thrown).to.equal(1);
    expect((await it.health())?.status).to.equal('failed');
    it.inbox.isDown = false;
    await it.scan(20_000);
    expect((await it.health())?.status).to.equal('ok');
  });

  it('leaves folders alone that belong to no owner or to several, and counts them without names', async () => {
    const inbox = new MemoryInbox();
    const own = await openInboxWorld(await (backends[0]?.[1] ?? Promise.reject)(), inbox);
    const { core, caller } = own;
    const other = await core.identity.createTenant('another tenant');
    const twin = await core.identity.createOwner({ name: 'OWNER', tenant: other.id });
    await core.identity.createOwner({ name: 'Zoë', tenant: caller.tenant.id });
    for (const folder of ['owner', 'nobody', 'zoe\u0308', caller.owner.id, twin.owner.id])
      inbox.put(`${folder}/a.txt`, folder);
    await own.settle();
    expect(inbox.waiting).to.deep.equal(['owner/a.txt', 'nobody/a.txt']);
    expect(await own.names()).to.deep.equal(['a.txt']);
    const detail = (await own.health())?.detail ?? '';
    expect(detail).to.include('1 folder without an owner. 1 folder named like several owners.');
    expect(own.reports.sort()).to.deep.equal([
      'inbox: 1 folders of INBOX_DIR are named like no owner.',
      'inbox: 1 folders of INBOX_DIR are named like several owners. Name them by id.',
    ]);
    expect(detail + own.reports.join('')).not.to.match(/nobody|owner\/|a\.txt/);
  });

  it('works on files of all owners in turn, two at once, and not at all while there is other work', async () => {
    const inbox = new MemoryInbox();
    const it = await openInboxWorld(backend, inbox);
    const other = await openInboxWorld(backend, inbox);
    for (let n = 0; n < 20; n++) it.put(`many-${n}.txt`, `${n}`);
    other.put('one.txt', 'mine');
    await it.scan();
    const order: string[] = [];
    let [running, most] = [0, 0];
    inbox.onRead = async (id) => {
      order.push(id);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    it.world.now += SETTLE_MS;
    let waits = 0;
    await it.core.background.takeInbox({
      shouldContinue: () => true,
      waitForIdle: () => Promise.resolve(++waits > 0),
    });
    expect(waits).to.equal(21);
    expect(most).to.equal(2);
    expect(order.slice(0, 2)).to.include(`${other.folder}/one.txt`);
    it.put('late.txt', 'x');
    await it.scan();
    it.world.now += SETTLE_MS;
    const stopped = { shouldContinue: () => true, waitForIdle: () => Promise.resolve(false) };
    await it.core.background.takeInbox(stopped);
    expect(inbox.waiting).to.deep.equal([`${it.folder}/late.txt`]);
  });

  it('takes thousands of files, some hundred at a time', async () => {
    const it = await openInboxWorld(backend);
    for (let n = 0; n < 1_200; n++) it.put(`${n}.txt`, `number ${n}`);
    let least = 0;
    for (let n = 0; n < 12 && it.inbox.waiting.length > 0; n++) {
      const waiting = it.inbox.waiting.length;
      await it.scan();
      least = Math.max(least, waiting - it.inbox.waiting.length);
    }
    expect(least).to.be.at.most(500);
    const { total } = await it.core.objects.listObjects(it.caller, {}, { limit: 1, offset: 0 });
    expect([total, it.inbox.waiting.length]).to.deep.equal([1_200, 0]);
  }).timeout(120_000);
});

/** A process that dies after some calls of its ports: no later call has an effect, or returns. */
class Mortal {
  #left = Infinity;

  begin(left: number): void {
    this.#left = left;
  }

  #step(): void {
    if (--this.#left < 0) throw new UnavailableError('process', 'It has died.');
  }

  uow(inner: UnitOfWork): UnitOfWork {
    const run =
      (how: 'read' | 'write'): UnitOfWork['write'] =>
      async (scope, work, size) => {
        this.#step();
        const result = await inner[how](scope, (stores) => work(stores as never), size);
        // Its effect is there, and the process does not learn of it.
        this.#step();
        return result;
      };
    return { read: run('read'), write: run('write') };
  }

  inbox(inner: MemoryInbox): Inbox {
    const step = this.#step.bind(this);
    return {
      folders: () => inner.folders(),
      files: (folder, query) => inner.files(folder, query),
      isCurrent: (file) => inner.isCurrent(file),
      async *read(file) {
        for await (const chunk of inner.read(file)) {
          step();
          yield chunk;
        }
      },
      async move(file, result) {
        step();
        await inner.move(file, result);
        step();
      },
      watch: () => undefined,
      watching: () => 'polling',
      close: () => Promise.resolve(),
    };
  }
}

describe('memory: a process that dies while it takes in files', () => {
  it('stores each of them exactly once, wherever it dies and however often', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'T/c', 'T/u/d'), fc.string()), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.array(fc.nat(40), { maxLength: 5 }),
        async (files, lives) => {
          const backend = await (backends[0]?.[1] ?? Promise.reject)();
          const inbox = new MemoryInbox();
          const it = await openInboxWorld(backend, inbox);
          const put = new Map(files);
          for (const [path, text] of put) it.put(path, text);
          let now = it.world.now;
          for (const left of [...lives, Infinity]) {
            const life = new Mortal();
            const process = await openInboxWorld(backend, life.inbox(inbox) as MemoryInbox, {
              uow: life.uow(backend.uow),
            });
            process.world.now = now;
            life.begin(left);
            for (let n = 0; n < 4; n++) await process.scan(60_000).catch(() => undefined);
            now = process.world.now + CLAIM_MS;
          }
          const objects = await it.objects();
          const stored = objects.map(({ size }) => size).sort();
          const expected = [...put.values()].map((text) => Buffer.byteLength(text)).sort();
          expect(stored).to.deep.equal(expected);
          expect(inbox.waiting).to.deep.equal([]);
          expect(inbox.moved.size).to.equal(put.size);
          await backend.close();
        },
      ),
      { numRuns: 25 },
    )).timeout(120_000);
});
