import { setImmediate as tick } from 'node:timers/promises';
import { expect } from 'chai';
import { InProcessChangeFeed } from '../../adapters/inprocess/change-feed.ts';
import { MAX_STREAM_MS, MAX_STREAMS_PER_OWNER } from '../../core/changes/follow.ts';
import type { ChangeEvent } from '../../core/changes/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { CHANGE_KINDS } from '../../ports/changes.ts';
import type { Timer } from '../../ports/runtime.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const PIN = '4821';

/** Waits that end when the spec says so. */
function manualTimer() {
  const waits = new Map<() => void, number>();
  const timer: Timer = {
    wait: (ms, until) =>
      new Promise((resolve) => {
        const end = () => {
          waits.delete(end);
          resolve();
        };
        waits.set(end, ms);
        void until.then(end);
      }),
  };
  return {
    timer,
    /** Ends every wait of at most so many milliseconds. */
    pass: (ms: number) => {
      for (const [end, each] of [...waits]) if (each <= ms) end();
    },
    waits: () => [...waits.values()],
  };
}

/** Runs everything that is ready to run. Databases answer after some event-loop ticks. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('It did not happen.');
    await tick();
  }
}

for (const [name, open] of backends)
  describe(`${name}: the stream of changes`, () => {
    let backend: Backend;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());

    async function openWorld() {
      const clock = manualTimer();
      const changes = new InProcessChangeFeed('feed');
      const world = await openCoreFixture(backend, undefined, { changes, timer: clock.timer });
      const streams: { close(): void; ended: Promise<unknown> }[] = [];
      const follow = (caller: Caller = world.caller, since?: string) => {
        const events: ChangeEvent[] = [];
        const left = Promise.withResolvers<void>();
        const ended = world.core.changes
          .followChanges(caller, since, {
            send: (event) => Promise.resolve(void events.push(event)),
            disconnected: left.promise,
          })
          .then(
            () => 'ended',
            (error: unknown) => (error as { code?: string }).code ?? String(error),
          );
        const stream = { events, ended, close: () => left.resolve() };
        streams.push(stream);
        return stream;
      };
      /** Lets the time between two events pass, and waits until all that was published is sent. */
      const settle = async () => {
        await until(() => clock.waits().some((ms) => ms === 1_000));
        clock.pass(1_000);
      };
      const close = async () => {
        for (const stream of streams) stream.close();
        await Promise.all(streams.map(({ ended }) => ended));
      };
      return { ...world, world, clock, changes, follow, settle, close };
    }

    const note = (world: CoreFixture, caller = world.caller, isHidden = false) =>
      world.core.objects.addNote(caller, { content: 'A note.', isHidden });

    it('begins with the position, and sends what has changed', async () => {
      const world = await openWorld();
      const { events } = world.follow();
      await until(() => events.length === 1);
      expect(events[0]?.kinds).to.deep.equal([]);
      await note(world.world);
      await world.settle();
      await until(() => events.length === 2);
      expect(events[1]?.kinds).to.include('objects');
      expect(events[1]?.cursor).not.to.equal(events[0]?.cursor);
      await world.close();
    });

    it('sends at most one event in a second, with everything that changed meanwhile', async () => {
      const world = await openWorld();
      const { events } = world.follow();
      await until(() => events.length === 1);
      await note(world.world);
      await world.core.library.createTheme(world.caller, { name: 'Work' });
      await world.core.settings.putSettings(world.caller, { autoRenameMode: 'auto' });
      for (let i = 0; i < 50; i++) await tick();
      expect(events).to.have.length(1);
      await world.settle();
      await until(() => events.length === 2);
      expect(events[1]?.kinds).to.include.members(['objects', 'themes', 'settings']);
      await world.close();
    });

    it('resumes: nothing if nothing has changed, all kinds if anything has, or if the id is unknown', async () => {
      const world = await openWorld();
      const first = world.follow();
      await until(() => first.events.length === 1);
      const cursor = first.events[0]?.cursor;
      const again = world.follow(world.caller, cursor);
      await until(() => again.events.length === 1);
      expect(again.events).to.deep.equal([{ kinds: [], cursor }]);
      await note(world.world);
      const [late, unknown] = [world.follow(world.caller, cursor), world.follow(world.caller, 'x')];
      await until(() => late.events.length === 1 && unknown.events.length === 1);
      for (const { events } of [late, unknown]) {
        expect(events[0]?.kinds).to.deep.equal(CHANGE_KINDS);
        expect(events[0]?.cursor).not.to.equal(cursor);
      }
      await world.close();
    });

    it('ends with `unauthorized` once the credential is revoked', async () => {
      const world = await openWorld();
      const { token, bearer } = await world.core.identity.createToken(world.caller, {
        name: 'other',
      });
      const other = await world.core.identity.authenticate({ bearer }, world.caller.client);
      const { events, ended } = world.follow(other);
      await until(() => events.length === 1);
      await world.core.identity.revokeToken(world.caller, token.id);
      await world.settle();
      expect(await ended).to.equal('unauthorized');
      expect(events).to.have.length(1);
      await world.close();
    });

    it('ends after 15 minutes, and when the client disconnects', async () => {
      const world = await openWorld();
      const [one, two] = [world.follow(), world.follow()];
      await until(() => one.events.length + two.events.length === 2);
      one.close();
      expect(await one.ended).to.equal('ended');
      world.clock.pass(MAX_STREAM_MS);
      expect(await two.ended).to.equal('ended');
      expect(world.clock.waits()).to.deep.equal([]);
    });

    it('has a limit of streams per owner, which ended ones do not count against', async () => {
      const world = await openWorld();
      const streams = Array.from({ length: MAX_STREAMS_PER_OWNER }, () => world.follow());
      expect(await world.follow().ended).to.equal('too_many_streams');
      streams[0]?.close();
      await streams[0]?.ended;
      const { events } = world.follow();
      await until(() => events.length === 1);
      await world.close();
    });

    it('ends with `unavailable` when changes may be lost', async () => {
      const world = await openWorld();
      const { events, ended } = world.follow();
      await until(() => events.length === 1);
      world.changes.endSubscriptions();
      world.clock.pass(1_000);
      expect(await ended).to.equal('unavailable');
      expect(await world.follow().ended).to.equal('unavailable');
    });

    it('ends when the zone of the caller is locked, and sends hidden changes before', async () => {
      const world = await openWorld();
      await world.core.hiddenZone.setPin(world.caller, { pin: PIN });
      const { token } = await world.core.hiddenZone.unlockZone(world.caller, PIN);
      const unlocked = { ...world.caller, hiddenToken: token };
      const [open, closed] = [world.follow(unlocked), world.follow()];
      await until(() => open.events.length + closed.events.length === 2);
      await note(world.world, unlocked, true);
      await world.settle();
      await until(() => open.events.length === 2);
      expect(open.events[1]?.kinds).to.include('objects');
      await world.core.hiddenZone.lockZone(world.caller);
      await world.settle();
      expect(await open.ended).to.equal('ended');
      await world.close();
    });

    it('a token that is bound to folders gets `forbidden`', async () => {
      const world = await openWorld();
      const scope = { ...world.caller.scope, folderIds: ['a'] };
      const error = await world.core.changes
        .followChanges({ ...world.caller, scope }, undefined, {
          send: () => Promise.resolve(),
          disconnected: new Promise(() => undefined),
        })
        .catch((reason: unknown) => reason);
      expect((error as { code?: string }).code).to.equal('forbidden');
    });
  });
