import { expect } from 'chai';
import fc from 'fast-check';
import type { Passkey } from '../../ports/sign-in.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anOwner, aTenant, names, newId, texts, wholes } from '../samples.ts';
import { anOidcLink, aPasskey, passkeys } from '../sign-in-samples.ts';

const earliestFirst = (a: Passkey, b: Passkey) =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

/** The contract of every SignInMethodStore. */
export function signInMethodStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  type Methods = Stores['signInMethods'];
  const write = <T>(scope: OwnerScope, work: (methods: Methods) => Promise<T>) =>
    backend.uow.write(scope, ({ signInMethods }) => work(signInMethods));
  const read = <T>(scope: OwnerScope, work: (methods: Methods) => Promise<T>) =>
    backend.uow.read(scope, ({ signInMethods }) => work(signInMethods));
  const newOwner = async (): Promise<OwnerScope> => {
    const tenant = aTenant();
    const owner = anOwner(tenant.id);
    await backend.accounts.addTenant(tenant);
    await backend.accounts.addOwner(owner);
    return { tenantId: tenant.id, ownerId: owner.id };
  };

  it('The password is the one last stored; null removes it', () =>
    fc.assert(
      fc.asyncProperty(texts(), names(), wholes(), async (first, second, setAt) => {
        const [scope, other] = [await newOwner(), await newOwner()];
        const password = () => read(scope, (methods) => methods.password());
        expect(await password()).to.equal(undefined);
        const foreign = { sealedHash: 'foreign', setAt: 1 };
        await write(other, (methods) => methods.setPassword(foreign));
        for (const sealedHash of [first, second]) {
          await write(scope, (methods) => methods.setPassword({ sealedHash, setAt }));
          expect(await password()).to.deep.equal({ sealedHash, setAt });
        }
        for (let i = 0; i < 2; i++) {
          await write(scope, (methods) => methods.setPassword(null));
          expect(await password()).to.equal(undefined);
        }
        expect(await read(other, (methods) => methods.password())).to.deep.equal(foreign);
      }),
      { numRuns: 10 },
    ));

  it('The link is the one last stored; null removes it. `linkOidc` returns `false` and stores nothing if another owner has the subject', async () => {
    const [mine, theirs] = [await newOwner(), await newOwner()];
    const [first, second] = [anOidcLink({ linkedAt: 2 ** 41 }), anOidcLink()];
    const linkOf = (scope: OwnerScope) => read(scope, (methods) => methods.oidc());
    const link = (scope: OwnerScope, next: typeof first) =>
      write(scope, (methods) => methods.linkOidc(next));
    expect(await linkOf(mine)).to.equal(undefined);
    expect(await link(mine, first)).to.equal(true);
    expect(await linkOf(mine)).to.deep.equal(first);
    expect(await link(theirs, { ...first, linkedAt: 9 })).to.equal(false);
    expect(await linkOf(theirs)).to.equal(undefined);
    expect(await link(theirs, second)).to.equal(true);
    expect(await link(theirs, first)).to.equal(false);
    expect(await linkOf(theirs)).to.deep.equal(second);
    // The same subject of another issuer is another account.
    expect(await link(theirs, { ...first, issuer: 'https://other.example' })).to.equal(true);
    expect(await link(mine, { ...first, linkedAt: 5 })).to.equal(true);
    expect(await linkOf(mine)).to.deep.equal({ ...first, linkedAt: 5 });
    expect(await link(mine, second)).to.equal(true);
    const answers = await write(mine, async (methods) => [
      await methods.unlinkOidc(),
      await methods.unlinkOidc(),
      await methods.oidc(),
    ]);
    expect(answers).to.deep.equal([true, false, undefined]);
    expect(await link(theirs, first)).to.equal(true);
  });

  it('links a subject to one of several owners that request it at the same time', async () => {
    const scopes = await Promise.all(Array.from({ length: 6 }, newOwner));
    const link = anOidcLink();
    const answers = await Promise.all(
      scopes.map((scope) => write(scope, (methods) => methods.linkOidc(link))),
    );
    expect(answers.filter(Boolean)).to.deep.equal([true]);
    const links = await Promise.all(
      scopes.map((scope) => read(scope, (methods) => methods.oidc())),
    );
    expect(links.map((each) => each !== undefined)).to.deep.equal(answers);
  });

  it('A passkey that was added is found by its id, field for field, and replaced by `savePasskey`. `addPasskey` returns `false` and stores nothing if any owner has the credential', () =>
    fc.assert(
      fc.asyncProperty(passkeys(), passkeys(), async (passkey, next) => {
        const [mine, theirs] = [await newOwner(), await newOwner()];
        const find = (scope: OwnerScope, id: string) =>
          read(scope, (methods) => methods.findPasskey(id));
        const add = (scope: OwnerScope, added: Passkey) =>
          write(scope, (methods) => methods.addPasskey(added));
        expect(await add(mine, passkey)).to.equal(true);
        expect(await find(mine, passkey.id)).to.deep.equal(passkey);
        expect(await find(theirs, passkey.id)).to.equal(undefined);
        const { credentialId } = passkey;
        for (const scope of [mine, theirs]) {
          const clash = aPasskey({ credentialId });
          expect(await add(scope, clash)).to.equal(false);
          expect(await find(scope, clash.id)).to.equal(undefined);
        }
        const changed = { ...next, id: passkey.id, credentialId };
        await write(mine, (methods) => methods.savePasskey(changed));
        expect(await find(mine, passkey.id)).to.deep.equal(changed);
        await write(mine, (methods) => methods.savePasskey(next));
        expect(await find(mine, next.id), 'one that was never added').to.equal(undefined);
      }),
      { numRuns: 15 },
    ));

  it('`passkeys` lists all, earliest first, then by id', () =>
    fc.assert(
      fc.asyncProperty(fc.array(passkeys(), { maxLength: 6 }), async (added) => {
        const [scope, other] = [await newOwner(), await newOwner()];
        await write(other, (methods) => methods.addPasskey(aPasskey()));
        await write(scope, async (methods) => {
          for (const passkey of added) await methods.addPasskey(passkey);
        });
        expect(await read(scope, (methods) => methods.passkeys())).to.deep.equal(
          added.toSorted(earliestFirst),
        );
      }),
      { numRuns: 15 },
    ));

  it('`removePasskey` returns whether it existed', async () => {
    const [mine, theirs] = [await newOwner(), await newOwner()];
    const [passkey, stored] = [aPasskey(), aPasskey()];
    await write(mine, async (methods) => {
      await methods.addPasskey(passkey);
      await methods.addPasskey(stored);
    });
    const remove = (scope: OwnerScope, id: string) =>
      write(scope, (methods) => methods.removePasskey(id));
    expect(await remove(theirs, passkey.id)).to.equal(false);
    expect(await remove(mine, passkey.id)).to.equal(true);
    expect(await remove(mine, passkey.id)).to.equal(false);
    expect(await remove(mine, newId())).to.equal(false);
    expect(await read(mine, (methods) => methods.passkeys())).to.deep.equal([stored]);
    const again = aPasskey({ credentialId: passkey.credentialId });
    expect(await write(theirs, (methods) => methods.addPasskey(again))).to.equal(true);
  });
}
