import { readConfig } from '../../composition/config.ts';
import { createLog } from '../../composition/log.ts';
import { openService } from '../../composition/service.ts';

export interface MadeOwner {
  readonly id: string;
  readonly token: string;
}

/** The code of a new one-time link, by id or name of its owner: the command `owner sign-in-link` in this process. */
export async function makeSignInCode(env: NodeJS.ProcessEnv, owner: string): Promise<string> {
  const service = await openService(readConfig(env), createLog('warn'), 'command');
  try {
    return (await service.core.signIn.createSignInLink(owner)).code;
  } finally {
    await service.close();
  }
}

/**
 * Does the work of the commands `tenant create` and `owner create` in this process, with the environment of the served
 * process. A child process for each took most of the time of many specs. The commands themselves are tested in
 * identity.spec.ts.
 */
export async function makeOwner(
  env: NodeJS.ProcessEnv,
  owner: { readonly name: string; readonly role?: string },
  tenant: { readonly name: string; readonly isNew: boolean },
): Promise<MadeOwner> {
  const service = await openService(readConfig(env), createLog('warn'), 'command');
  try {
    const { identity } = service.core;
    if (tenant.isNew) await identity.createTenant(tenant.name);
    const created = await identity.createOwner({ ...owner, tenant: tenant.name });
    return { id: created.owner.id, token: created.first.bearer };
  } finally {
    await service.close();
  }
}
