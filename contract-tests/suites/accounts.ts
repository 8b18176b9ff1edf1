import { expect } from 'chai';
import fc from 'fast-check';
import type { Backend } from '../backends.ts';
import { anOwner, aTenant, newId, texts, wholes } from '../samples.ts';

/** The contract of every Accounts. */
export function accountsContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('A tenant is found by id and by name. `false` is returned if the name is in use', () =>
    fc.assert(
      fc.asyncProperty(texts(), wholes(), async (text, createdAt) => {
        const { accounts } = backend;
        const tenant = aTenant({ createdAt });
        const named = { ...tenant, name: `${tenant.id} ${text.slice(0, 50).toWellFormed()}` };
        expect(await accounts.addTenant(named)).to.equal(true);
        expect(await accounts.findTenant(named.id)).to.deep.equal(named);
        expect(await accounts.findTenant(named.name)).to.deep.equal(named);
        const clash = aTenant({ name: named.name });
        expect(await accounts.addTenant(clash)).to.equal(false);
        expect(await accounts.findTenant(clash.id)).to.equal(undefined);
        expect(await accounts.findTenant(newId())).to.equal(undefined);
      }),
      { numRuns: 15 },
    ));

  it('does not confuse an id with a name when another tenant has that id as its name', async () => {
    const { accounts } = backend;
    const meant = aTenant();
    for (const tenant of [aTenant({ name: meant.id }), meant])
      expect(await accounts.addTenant(tenant)).to.equal(true);
    expect(await accounts.findTenant(meant.id)).to.deep.equal(meant);
  });

  it('An owner is found by id and listed in creation order, with its tenant', async () => {
    const { accounts } = backend;
    const tenants = [aTenant(), aTenant()];
    for (const tenant of tenants) await accounts.addTenant(tenant);
    const earlier = (await accounts.listOwners(1, 0)).total;
    const added = [3, 1, 2].map((n) =>
      anOwner(tenants[n % 2]?.id ?? '', {
        name: `Ada "${n}" 𝕏`,
        role: 'pro',
        // Later than the owners of other specs in the same database.
        createdAt: Number.MAX_SAFE_INTEGER - 10 + n,
      }),
    );
    for (const owner of added) await accounts.addOwner(owner);
    for (const owner of added) expect(await accounts.findOwner(owner.id)).to.deep.equal(owner);
    expect(await accounts.findOwner(newId())).to.equal(undefined);
    const listed = [];
    for (let offset = earlier; offset <= earlier + 3; offset += 2) {
      const page = await accounts.listOwners(2, offset);
      expect(page.total).to.equal(earlier + 3);
      listed.push(...page.items);
    }
    expect(listed).to.deep.equal([added[1], added[2], added[0]]);
  });

  it('`addLinkedOwner` stores an owner together with its account of an identity provider, for one of any number of concurrent callers. `false` is returned, and nothing stored, if an owner has the subject', async () => {
    const { accounts, directory, uow } = backend;
    const tenant = aTenant();
    await accounts.addTenant(tenant);
    const link = { issuer: 'https://id.example.org', subject: newId(), linkedAt: 7 };
    const owners = Array.from({ length: 8 }, () => anOwner(tenant.id));
    const elsewhere = await backend.another();
    try {
      const added = await Promise.all(
        owners.map((owner, i) =>
          (i % 2 ? elsewhere : backend).accounts.addLinkedOwner(owner, link),
        ),
      );
      expect(added.filter(Boolean)).to.have.lengthOf(1);
      const first = owners[added.indexOf(true)];
      expect(await directory.accountOfSubject(link.issuer, link.subject)).to.deep.equal({
        owner: first,
        tenant,
      });
      for (const { id } of owners) {
        expect(await accounts.findOwner(id)).to.deep.equal(id === first?.id ? first : undefined);
        const scope = { tenantId: tenant.id, ownerId: id };
        expect(await uow.read(scope, ({ signInMethods }) => signInMethods.oidc())).to.deep.equal(
          id === first?.id ? link : undefined,
        );
      }
      const other = { ...link, issuer: 'https://other.example.org' };
      expect(await accounts.addLinkedOwner(anOwner(tenant.id), other)).to.equal(true);
    } finally {
      await elsewhere.close();
    }
  });

  it('leaves no link if the owner can not be stored', async () => {
    const { accounts, directory } = backend;
    const link = { issuer: 'https://id.example.org', subject: newId(), linkedAt: 7 };
    const outcome = await accounts.addLinkedOwner(anOwner(newId()), link).then(
      () => 'accepted',
      () => 'refused',
    );
    expect(outcome).to.equal('refused');
    expect(await directory.accountOfSubject(link.issuer, link.subject)).to.equal(undefined);
    const tenant = aTenant();
    await accounts.addTenant(tenant);
    expect(await accounts.addLinkedOwner(anOwner(tenant.id), link)).to.equal(true);
  });

  it('`setRole` changes the role of an owner, and nothing for a missing one', async () => {
    const { accounts } = backend;
    const tenant = aTenant();
    await accounts.addTenant(tenant);
    const [owner, other] = [anOwner(tenant.id), anOwner(tenant.id)];
    for (const each of [owner, other]) await accounts.addOwner(each);
    await accounts.setRole(owner.id, 'free');
    expect(await accounts.findOwner(owner.id)).to.deep.equal({ ...owner, role: 'free' });
    expect(await accounts.findOwner(other.id)).to.deep.equal(other);
    const missing = newId();
    await accounts.setRole(missing, 'free');
    expect(await accounts.findOwner(missing)).to.equal(undefined);
  });

  it('rejects an owner without a tenant, and a duplicate id', async () => {
    const { accounts } = backend;
    const tenant = aTenant();
    await accounts.addTenant(tenant);
    const owner = anOwner(tenant.id);
    await accounts.addOwner(owner);
    for (const wrong of [anOwner(newId()), { ...owner, name: 'Bob' }]) {
      const outcome = await accounts.addOwner(wrong).then(
        () => 'accepted',
        () => 'refused',
      );
      expect(outcome).to.equal('refused');
    }
    expect(await accounts.findOwner(owner.id)).to.deep.equal(owner);
  });
}
