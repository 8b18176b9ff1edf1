import { expect } from 'chai';
import fc from 'fast-check';
import { sha256Digest } from '../../adapters/node/system.ts';
import {
  OPERATOR,
  SYSTEM,
  createChainVerifier,
  recordFailedSignIn,
  recordSecurityEvent,
  visitorSource,
  type ChainFault,
  type SecurityEventInput,
} from '../../core/security-events/index.ts';
import { startSession } from '../../core/sign-in/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import {
  SECURITY_EVENT_KINDS,
  type SecurityEvent,
  type SecurityEventKind,
  type SecurityEventStore,
} from '../../ports/security-events.ts';
import { MAX_SESSIONS } from '../../ports/sign-in.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const MINUTE_MS = 60_000;
const PIN = '1234';

/** What a chain has after some events were recorded, in order. */
async function recorded(
  inputs: readonly (SecurityEventInput & { readonly at: number })[],
): Promise<readonly SecurityEvent[]> {
  const events: SecurityEvent[] = [];
  const securityEvents = {
    last: () => Promise.resolve(events.at(-1)),
    append: (event: SecurityEvent) => Promise.resolve(void events.push(event)),
  } as SecurityEventStore;
  for (const { at, ...input } of inputs) {
    const deps = {
      clock: { now: () => at },
      random: { uuid: () => crypto.randomUUID(), secret: () => '' },
      digests: sha256Digest,
    };
    await recordSecurityEvent(deps, { securityEvents }, SYSTEM, input);
  }
  return events;
}

function faultsOf(events: readonly SecurityEvent[]): readonly ChainFault[] {
  const verify = createChainVerifier(sha256Digest);
  return events.flatMap((event) => verify(event) ?? []);
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const input = fc.record({
  kind: fc.constantFrom(...SECURITY_EVENT_KINDS),
  subject: text,
  detail: text,
  facts: fc.oneof(fc.constant({}), fc.record({ cause: text }), fc.record({ count: fc.nat() })),
  // Clocks may be set back.
  at: fc.nat(1_000),
});
const chain = fc.array(input, { minLength: 2, maxLength: 8 });

describe('a chain of security events', () => {
  it('is sound for any sequence, also after the first events have expired', async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.nat(8), async (inputs, expired) => {
        const events = await recorded(inputs);
        expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, i) => i + 1));
        expect(faultsOf(events)).to.deep.equal([]);
        expect(faultsOf(events.slice(expired))).to.deep.equal([]);
      }),
    );
  });

  it('reveals a change of any field of any event', async () => {
    const fields = fc.constantFrom<(event: SecurityEvent) => SecurityEvent>(
      (event) => ({ ...event, id: crypto.randomUUID() }),
      (event) => ({ ...event, seq: event.seq + 100 }),
      (event) => ({ ...event, at: event.at + 1 }),
      (event) => ({ ...event, kind: event.kind === 'exported' ? 'imported' : 'exported' }),
      (event) => ({ ...event, actor: { ...event.actor, kind: 'visitor' } }),
      (event) => ({ ...event, actor: { ...event.actor, id: 'other' } }),
      (event) => ({ ...event, actor: { ...event.actor, name: 'other' } }),
      (event) => ({ ...event, network: '192.0.2.0/24' }),
      (event) => ({ ...event, subject: `${event.subject}.` }),
      (event) => ({ ...event, detail: `${event.detail} ` }),
      (event) => ({ ...event, objectId: 'object' }),
      (event) => ({ ...event, facts: event.facts === null ? {} : null }),
      (event) => ({ ...event, facts: { ...event.facts, name: 'other' } }),
      (event) => ({ ...event, previousDigest: 'f'.repeat(64) }),
      (event) => ({ ...event, digest: 'f'.repeat(64) }),
      // What one field loses the next one gets.
      (event) => ({ ...event, subject: '', detail: `${event.subject}${event.detail}.` }),
    );
    await fc.assert(
      fc.asyncProperty(chain, fc.nat(), fields, async (inputs, which, change) => {
        const events = await recorded(inputs);
        const at = which % events.length;
        const tampered = events.map((event, i) => (i === at ? change(event) : event));
        expect(faultsOf(tampered)).to.include('changed');
      }),
    );
  });

  it('reveals a change for which the digest of the event was computed anew', async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.nat(), async (inputs, which) => {
        const events = await recorded(inputs);
        const at = which % (events.length - 1);
        const forged = await recorded(
          inputs.map((each, i) => (i === at ? { ...each, detail: `${each.detail}.` } : each)),
        );
        const tampered = events.map((event, i) => (i === at ? forged[at]! : event));
        // The identifiers of the two chains differ, so the forged event follows none of the first.
        expect(faultsOf(tampered)).to.include('unlinked');
      }),
    );
  });

  it('reveals that events in the middle were removed, swapped or repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(input, { minLength: 3, maxLength: 8 }),
        fc.nat(),
        async (inputs, which) => {
          const events = await recorded(inputs);
          const at = 1 + (which % (events.length - 2));
          expect(faultsOf(events.toSpliced(at, 1))).to.deep.equal(['missing']);
          const swapped = events.with(at, events[at - 1]!).with(at - 1, events[at]!);
          expect(faultsOf(swapped)).to.include('missing');
          const renumbered = swapped.map((event, i) => ({ ...event, seq: i + 1 }));
          expect(faultsOf(renumbered)).to.include('changed');
          expect(faultsOf(events.toSpliced(at, 0, events[at]!))).to.deep.equal(['missing']);
        },
      ),
    );
  });

  it('is sound with events that were written before they had facts', () => {
    const legacy = {
      id: 'id',
      seq: 1,
      at: 5,
      kind: 'signed_out',
      actor: { kind: 'session', id: 'session', name: 'Firefox' },
      network: '192.0.2.0/24',
      subject: 'session',
      detail: 'Signed out.',
      facts: null,
      objectId: null,
      previousDigest: '',
    } as const;
    // The digest that version 4 of the schema stored.
    const fields =
      '["",1,"id",5,"signed_out","session","session","Firefox","192.0.2.0/24","session","Signed out.",null]';
    expect(faultsOf([{ ...legacy, digest: sha256Digest.digest(fields) }])).to.deep.equal([]);
  });

  it('reveals a first event of another chain', async () => {
    const events = await recorded(
      ['a', 'b'].map((detail) => ({ kind: 'exported' as const, subject: '', detail, at: 1 })),
    );
    const [, second] = events;
    const [stray] = await recorded([{ kind: 'exported', subject: '', detail: 'a', at: 1 }]);
    expect(faultsOf([stray!, second!])).to.deep.equal(['unlinked']);
  });
});

for (const [name, open] of backends)
  describe(`${name}: the log of security events`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => (backend = await open()));
    after(() => backend.close());
    beforeEach(
      async () => (world = await openCoreFixture(backend, `events-${crypto.randomUUID()}`)),
    );

    const listed = async (caller: Caller = world.caller, kind?: SecurityEventKind) =>
      (
        await world.core.securityEvents.listSecurityEvents(caller, {
          limit: 200,
          ...(kind && { kind }),
        })
      ).items;
    const kinds = async (caller?: Caller) => (await listed(caller)).map(({ kind }) => kind);
    /** The kinds that the work has added, oldest first. */
    async function added(
      work: () => Promise<unknown>,
      caller?: Caller,
    ): Promise<readonly string[]> {
      const before = (await listed(caller)).length;
      await work().catch(() => undefined);
      const all = await kinds(caller);
      return all.slice(0, all.length - before).reverse();
    }
    const note = async (content: string, isHidden = false): Promise<string> =>
      (await world.core.objects.addNote(world.caller, { content, isHidden })).object.id;
    const share = (resourceId: string, caller = world.caller, password = 'open sesame') =>
      world.core.shares.createShare(caller, {
        kind: 'file',
        resourceId,
        role: 'viewer',
        name: '',
        password,
      });
    const visitor = { address: '192.0.2.77', counts: true };
    const alerts = async () =>
      (
        await world.core.notifications.listNotifications(world.caller, {
          unreadOnly: false,
          limit: 100,
          offset: 0,
        })
      ).items.filter(({ kind }) => kind === 'security.alert');
    const events = () =>
      backend.uow.read(world.caller.scope, ({ securityEvents }) => securityEvents.chain(0, 1_000));

    it('begins with the token of the operator, and names the actor of each event', async () => {
      const { core, caller } = world;
      const [first] = await listed();
      expect(first).to.include({ kind: 'token_created', network: '', detail: first?.detail });
      expect(first?.actor).to.deep.equal({ kind: 'operator', id: '', name: 'command line' });
      const sent = { ...caller, client: { address: '::ffff:203.0.113.9', userAgent: 'x' } };
      const { token } = await core.identity.createToken(sent, { name: 'laptop' });
      const [made] = await listed();
      expect(made).to.deep.include({
        kind: 'token_created',
        network: '203.0.113.0/24',
        subject: token.id,
      });
      expect(made?.actor).to.include({ kind: 'token', name: 'first' });
      expect(await added(() => core.identity.revokeToken(caller, token.id))).to.deep.equal([
        'token_revoked',
      ]);
      expect(await added(() => core.identity.revokeToken(caller, token.id))).to.deep.equal([]);
      const second = await core.identity.createToken(caller, { name: 'phone' });
      await core.identity.revokeTokenByPrefix(second.token.prefix);
      const [revoked] = await listed();
      expect(revoked).to.deep.include({ kind: 'token_revoked', subject: second.token.id });
      expect(revoked?.actor.kind).to.equal('operator');
      expect(JSON.stringify(await events())).not.to.include(second.bearer);
    });

    it('records the PIN, each wrong one before its answer, and the lock-out with an alert', async () => {
      const { core, caller } = world;
      const { hiddenZone } = core;
      expect(await added(() => hiddenZone.setPin(caller, { pin: PIN }))).to.deep.equal(['pin_set']);
      expect(await added(() => hiddenZone.unlockZone(caller, PIN))).to.deep.equal([
        'zone_unlocked',
      ]);
      expect(await added(() => hiddenZone.setPin(caller, { pin: '9999' }))).to.deep.equal([]);
      expect(await added(() => hiddenZone.unlockZone(caller, '0000'))).to.deep.equal([
        'zone_unlock_failed',
      ]);
      const change = { pin: '5678', oldPin: PIN };
      expect(await added(() => hiddenZone.setPin(caller, change))).to.deep.equal(['pin_set']);
      const guesses = () =>
        Promise.all(
          Array.from({ length: 9 }, () => hiddenZone.unlockZone(caller, '0000').catch(() => 0)),
        );
      expect(await added(guesses)).to.deep.equal([
        ...Array.from({ length: 5 }, () => 'zone_unlock_failed'),
        'zone_locked_out',
      ]);
      const [alert, ...others] = await alerts();
      expect(others).to.deep.equal([]);
      const [lockout] = await listed(caller, 'zone_locked_out');
      expect(alert?.payload).to.include({
        event_id: lockout?.id,
        kind: 'zone_locked_out',
        alert: 'pin_locked',
        attempts: 5,
      });
      world.now += 15 * MINUTE_MS;
      expect(await added(() => hiddenZone.removePin(caller, '5678'))).to.deep.equal([
        'pin_removed',
      ]);
      const details = (await events()).map(({ detail }) => detail).join('\n');
      expect(details).not.to.match(/1234|5678|0000/);
    });

    it('records shares and their visitors, and a repeated unlock of a network once', async () => {
      const { core, caller } = world;
      const { shares } = core;
      const id = await note('A lantern.');
      const { share: link, token } = await share(id);
      const edit = (changes: object) => added(() => shares.editShare(caller, link.id, changes));
      expect(await edit({ name: '' })).to.deep.equal([]);
      expect(await edit({ name: 'Link' })).to.deep.equal(['share_changed']);
      expect(await edit({ role: 'contributor' })).to.deep.equal([]);
      const unlock = (password: string, address = visitor.address) =>
        added(() => shares.unlockShare({ ...visitor, address }, token ?? '', password));
      expect(await unlock('open barley')).to.deep.equal(['share_unlock_failed']);
      expect(await unlock('open sesame')).to.deep.equal(['share_unlocked']);
      expect(await unlock('open sesame', '192.0.2.78')).to.deep.equal([]);
      expect(await unlock('open sesame', '198.51.100.1')).to.deep.equal(['share_unlocked']);
      world.now += 15 * MINUTE_MS;
      expect(await unlock('open sesame')).to.deep.equal(['share_unlocked']);
      const [last] = await listed();
      expect(last).to.deep.include({
        actor: { kind: 'visitor', id: '', name: '' },
        network: '192.0.2.0/24',
        subject: link.id,
      });
      expect(await added(() => shares.revokeShare(caller, link.id))).to.deep.equal([
        'share_revoked',
      ]);
      expect(await added(() => shares.revokeShare(caller, link.id))).to.deep.equal([]);
      expect(await added(() => share(crypto.randomUUID()))).to.deep.equal([]);
      expect(JSON.stringify(await events())).not.to.match(/sesame|barley|lantern/i);
    });

    it('records that the links to a folder end with it', async () => {
      const { library, shares } = world.core;
      const { caller } = world;
      const { collection } = await library.createCollection(caller, { name: 'Folder' });
      const shareFolder = (name: string) =>
        shares.createShare(caller, {
          kind: 'folder',
          resourceId: collection.id,
          role: 'viewer',
          name,
        });
      const links = [await shareFolder('one'), await shareFolder('two')];
      await share(await note('A lantern.'));
      expect(
        await added(() => library.deleteCollection(caller, collection.id, 'keep')),
      ).to.deep.equal(['share_revoked', 'share_revoked']);
      const ended = await listed(caller, 'share_revoked');
      expect(ended.map(({ subject }) => subject)).to.have.members(links.map((l) => l.share.id));
      for (const { detail } of ended) expect(detail).to.include('the folder was deleted');
    });

    it('says that a caller who is bound to folders exported or emptied these only', async () => {
      const { core, caller } = world;
      const { collection } = await core.library.createCollection(caller, { name: 'Folder' });
      const bound = { ...caller, scope: { ...caller.scope, folderIds: [collection.id] } };
      const { object } = await core.objects.addNote(caller, {
        content: 'A lantern.',
        collectionId: collection.id,
      });
      await core.objects.deleteObject(caller, object.id, false);
      const exported = await core.transfer.exportWorkspace(bound);
      for await (const part of exported.bytes()) expect(part.length).to.be.greaterThan(-1);
      await core.objects.emptyTrash(bound);
      const [emptied, sent] = await listed();
      expect([emptied?.kind, sent?.kind]).to.deep.equal(['trash_emptied', 'exported']);
      for (const event of [emptied, sent]) expect(event?.detail).to.include('bound to');
      expect(sent?.detail).not.to.match(/workspace|hidden/);
    });

    it('lists events for 400 days, also the last one of a chain, which is stored longer', async () => {
      await world.core.identity.createToken(world.caller, { name: 'laptop' });
      const listedNow = async (limit: number) =>
        world.core.securityEvents.listSecurityEvents(world.caller, { limit });
      world.now += 400 * 24 * 60 * MINUTE_MS;
      expect((await listedNow(200)).items).to.have.length(2);
      world.now += 1;
      await world.core.background.sweepExpiredAccess();
      expect(await events()).to.have.length(1);
      expect(await listedNow(200)).to.deep.equal({ items: [], next: null });
      // By the operator: the owner's token has expired as well.
      await world.core.identity.issueTokenFor(world.caller.owner.id, { name: 'phone' });
      const { items, next } = await listedNow(1);
      expect([items.length, next]).to.deep.equal([1, null]);
    });

    it('records no more guesses of a share than the fast ones', async () => {
      const { token } = await share(await note('A lantern.'));
      const guess = (n: number) =>
        world.core.shares
          .unlockShare({ ...visitor, address: `198.51.${n}.1` }, token ?? '', 'open barley')
          .catch(() => undefined);
      for (let n = 0; n < 60; n++) {
        await guess(n);
        world.now += 3_000;
      }
      const failed = await listed(world.caller, 'share_unlock_failed');
      expect(failed).to.have.length(50);
      expect(failed[0]?.detail).to.match(/not recorded/);
      expect(failed[1]?.detail).not.to.match(/not recorded/);
    });

    it('lists events of a hidden or erased object only while the zone is open', async () => {
      const { core, caller } = world;
      const [stays, hides, goes] = [await note('a'), await note('b'), await note('c')];
      const folder = (await core.library.createCollection(caller, { name: 'Folder' })).collection;
      await core.shares.createShare(caller, {
        kind: 'folder',
        resourceId: folder.id,
        role: 'viewer',
        name: '',
      });
      for (const id of [stays, hides, goes]) {
        const { token } = await share(id);
        await core.shares.unlockShare(visitor, token ?? '', 'open sesame');
      }
      await core.objects.editObject(caller, hides, { isHidden: true });
      await core.objects.deleteObject(caller, goes, true);
      const shareKinds = async (from: Caller) =>
        (await kinds(from)).filter((kind) => kind.startsWith('share_')).length;
      expect(await shareKinds(caller), 'without a PIN').to.equal(7);
      const { token } = await core.hiddenZone.setPin(caller, { pin: PIN });
      const unlocked = { ...caller, hiddenToken: token };
      expect(await shareKinds(caller), 'locked').to.equal(3);
      expect(await shareKinds(unlocked), 'open').to.equal(7);
      const { shares } = core;
      const { items } = await shares.listShares(unlocked, {
        limit: 9,
        offset: 0,
        resourceId: hides,
      });
      expect(
        await added(() => shares.revokeShare(unlocked, items[0]?.share.id ?? ''), caller),
        'revoked in the open zone',
      ).to.deep.equal([]);
      expect(await shareKinds(unlocked)).to.equal(8);
      // Pages of a locked list have no gaps, and a cursor holds time and id only.
      const walked: string[] = [];
      for (let after; ;) {
        const page = await core.securityEvents.listSecurityEvents(caller, {
          limit: 2,
          ...(after && { after }),
        });
        walked.push(...page.items.map(({ id }) => id));
        if (!page.next) break;
        expect(Object.keys(page.next).sort()).to.deep.equal(['at', 'id']);
        after = page.next;
      }
      expect(walked).to.deep.equal((await listed()).map(({ id }) => id));
      expect(Object.keys(items[0] ?? {})).not.to.include('seq');
    });

    it('records that the trash was emptied, without revealing hidden objects in it', async () => {
      const { core, caller } = world;
      const empty = (from: Caller) => () => core.objects.emptyTrash(from);
      expect(await added(empty(caller)), 'an empty trash').to.deep.equal([]);
      const trash = async (isHidden: boolean) =>
        core.objects.deleteObject(caller, await note(`${isHidden}`, isHidden), false);
      await trash(false);
      await trash(true);
      const { token } = await core.hiddenZone.setPin(caller, { pin: PIN });
      const unlocked = { ...caller, hiddenToken: token };
      expect(await added(empty(caller))).to.deep.equal(['trash_emptied']);
      expect(await added(empty(caller)), 'only a hidden one is left').to.deep.equal([]);
      expect(await added(empty(unlocked), caller), 'seen while locked').to.deep.equal([]);
      expect(await listed(unlocked, 'trash_emptied')).to.have.length(2);
      for (const { detail } of await listed(unlocked, 'trash_emptied'))
        expect(detail).to.equal('The trash was emptied.');
    });

    it('records an export before its first byte, and an import once', async () => {
      const { core, caller } = world;
      await note('A lantern.');
      const parts: Uint8Array[] = [];
      const exported = await core.transfer.exportWorkspace(caller);
      expect(await listed(caller, 'exported'), 'no byte was read').to.deep.equal([]);
      for await (const part of exported.bytes()) {
        if (parts.length === 0) expect(await listed(caller, 'exported')).to.have.length(1);
        parts.push(part);
      }
      const archive = Buffer.concat(parts);
      const imported = (content: Uint8Array) => async () => {
        async function* sent() {
          yield await Promise.resolve(content);
        }
        const file = await core.transfer.receiveArchive(caller, {
          filename: 'a.zip',
          bytes: sent(),
          size: null,
        });
        await core.transfer.importArchive(caller, file);
      };
      expect(await added(imported(archive))).to.deep.equal(['imported']);
      expect(await added(imported(archive.subarray(0, 99)))).to.deep.equal([]);
    });

    it('records connections that change, but not those that stay what they are', async () => {
      const { core, caller } = world;
      const { integrations } = core;
      const config = { base_url: 'http://127.0.0.1:1/secret-path/v1', model: 'm' };
      const connect = (secret?: string) => () =>
        integrations.connectModel(caller, { config, ...(secret !== undefined && { secret }) });
      expect(await added(connect('sk-12345678'))).to.deep.equal(['connection_changed']);
      expect(await added(connect())).to.deep.equal([]);
      const toggle = (isEnabled: boolean) =>
        added(() => integrations.toggleIntegration(caller, 'llm', isEnabled));
      expect(await toggle(true)).to.deep.equal([]);
      expect(await toggle(false)).to.deep.equal(['connection_changed']);
      expect(await added(connect())).to.deep.equal(['connection_changed']);
      expect(await added(() => integrations.disconnect(caller, 'llm'))).to.deep.equal([
        'connection_removed',
      ]);
      expect(await added(() => integrations.disconnect(caller, 'llm'))).to.deep.equal([]);
      const [last] = await listed();
      expect(last).to.include({ subject: 'llm' });
      expect(JSON.stringify(await events())).not.to.match(/12345678|secret-path/);
    });

    it('records bots, and who links a chat to one', async () => {
      const { core, caller, platform } = world;
      const account = { accountId: BigInt(`0x${crypto.randomUUID().slice(0, 8)}`) };
      for (const token of ['one', 'two']) platform.account(`${token} ${world.bearer}`, account);
      const register = (token: string) => () =>
        core.bots.registerBot(caller, {
          platform: 'telegram',
          token: `${token} ${world.bearer}`,
        });
      expect(await added(register('one'))).to.deep.equal(['connection_changed']);
      expect(await added(register('one'))).to.deep.equal([]);
      expect(await added(register('two'))).to.deep.equal(['connection_changed']);
      const { items } = await core.bots.listBots(caller, { limit: 9, offset: 0 });
      const [view] = items;
      const { bot } = view!;
      const from = { userId: 7n, displayName: 'Ada', username: '', isBot: false };
      const say = async (said: string) => {
        platform.tells(`two ${world.bearer}`, {
          type: 'private',
          from,
          chatId: 7n,
          messageId: 1n,
          text: said,
        });
        for (const body of platform.bring(`two ${world.bearer}`))
          await core.bots.receiveUpdate({ bot, scope: caller.scope }, body);
      };
      expect(await added(() => say('/start wrong'))).to.deep.equal([]);
      expect(await added(() => say(`/start ${view?.linkCode}`))).to.deep.equal([
        'connection_changed',
      ]);
      const [linked] = await listed();
      expect(linked).to.deep.include({ subject: bot.id, network: '' });
      expect(linked?.actor.kind).to.equal('visitor');
      expect(await added(() => core.bots.removeBot(caller, bot.id))).to.deep.equal([
        'connection_removed',
      ]);
      expect(JSON.stringify(await events())).not.to.include(world.bearer);
    });

    it('alerts on a sign-in from a network and client never seen, but not on the first', async () => {
      const { caller } = world;
      const deps = {
        clock: { now: () => world.now },
        random: { uuid: () => crypto.randomUUID(), secret: () => crypto.randomUUID() },
        digests: sha256Digest,
        clientNames: { nameOf: (userAgent: string) => userAgent },
      };
      const signIn = (address: string, userAgent: string) =>
        backend.uow.write(caller.scope, (stores) =>
          startSession(deps, stores, caller.owner, {
            method: 'password',
            client: { address, userAgent },
          }),
        );
      await signIn('203.0.113.1', 'Firefox on Linux');
      await signIn('203.0.113.2', 'Firefox on Linux');
      expect(await alerts()).to.deep.equal([]);
      world.now += MINUTE_MS;
      const { session } = await signIn('198.51.100.1', 'Safari on macOS');
      const [alert, ...others] = await alerts();
      expect(others).to.deep.equal([]);
      expect(alert?.body).to.match(/Safari on macOS/);
      expect(alert?.body).to.match(/198\.51\.100\.0\/24/);
      expect(alert?.body).to.match(/2026-01-01 00:01 UTC/);
      const [event] = await listed();
      expect(event).to.deep.include({ kind: 'signed_in', subject: session.id });
      expect(alert?.payload).to.include({
        event_id: event?.id,
        kind: 'signed_in',
        alert: 'new_client',
      });
      await signIn('198.51.100.9', 'Safari on macOS');
      await signIn('203.0.113.1', 'Safari on macOS');
      expect(await alerts()).to.have.length(2);
    });

    it('records the session that one more than the limit ends, if it was valid', async () => {
      const { caller } = world;
      const deps = {
        clock: { now: () => world.now },
        random: { uuid: () => crypto.randomUUID(), secret: () => crypto.randomUUID() },
        digests: sha256Digest,
        clientNames: { nameOf: (userAgent: string) => userAgent },
      };
      const signIn = () =>
        backend.uow.write(caller.scope, (stores) =>
          startSession(deps, stores, caller.owner, {
            method: 'password',
            client: { address: '203.0.113.1', userAgent: 'Firefox on Linux' },
          }),
        );
      const { session: first } = await signIn();
      world.now += MINUTE_MS;
      for (let n = 1; n < MAX_SESSIONS; n++) await signIn();
      expect(await listed(caller, 'session_ended')).to.deep.equal([]);
      const { session: last } = await signIn();
      const [ended, ...others] = await listed(caller, 'session_ended');
      expect(others).to.deep.equal([]);
      expect(ended).to.deep.include({ subject: first.id, network: '203.0.113.0/24' });
      expect(ended?.actor).to.include({ kind: 'session', id: last.id });
      world.now += 14 * 24 * 60 * MINUTE_MS;
      await signIn();
      expect(await listed(caller, 'session_ended'), 'of an expired one').to.have.length(1);
    });

    it('alerts on the tenth failed sign-in of a day, and not on each further one', async () => {
      const deps = {
        clock: { now: () => world.now },
        random: { uuid: () => crypto.randomUUID(), secret: () => '' },
        digests: sha256Digest,
      };
      const fail = (times: number) =>
        backend.uow.write(world.caller.scope, async (stores) => {
          for (let i = 0; i < times; i++)
            await recordFailedSignIn(deps, stores, visitorSource('203.0.113.5'), {
              detail: 'A wrong password was entered.',
            });
        });
      await fail(9);
      expect(await alerts()).to.deep.equal([]);
      await fail(1);
      await fail(25);
      const [alert, ...others] = await alerts();
      expect(others).to.deep.equal([]);
      expect(alert?.body).to.match(/10 sign-ins/);
      expect(alert?.payload['kind']).to.equal('sign_in_failed');
      world.now += 25 * 60 * MINUTE_MS;
      await fail(10);
      expect(await alerts()).to.have.length(2);
    });

    it('keeps one chain under concurrent writes, and leaves no event of one that failed', async () => {
      const { core, caller } = world;
      const before = (await events()).length;
      const attempts = Array.from({ length: 12 }, (_, n) =>
        n % 3 === 0
          ? backend.uow.write(caller.scope, async (stores) => {
              const deps = {
                clock: { now: () => world.now },
                random: { uuid: () => crypto.randomUUID(), secret: () => '' },
                digests: sha256Digest,
              };
              await recordSecurityEvent(deps, stores, OPERATOR, {
                kind: 'exported',
                detail: 'Never happened.',
              });
              throw new Error('It failed.');
            })
          : core.identity.createToken(caller, { name: `token ${n}` }),
      );
      await Promise.allSettled(attempts);
      const all = await events();
      expect(all.length - before).to.equal(8);
      expect(faultsOf(all)).to.deep.equal([]);
      expect(all.some(({ detail }) => detail === 'Never happened.')).to.equal(false);
    });

    it('ends a list whose cursor has expired', async () => {
      const after = { at: 1, id: crypto.randomUUID() };
      const page = await world.core.securityEvents.listSecurityEvents(world.caller, {
        limit: 1,
        after,
      });
      expect(page).to.deep.equal({ items: [], next: null });
    });
  });
