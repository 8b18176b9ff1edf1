import type { OfficeKind } from '../../ports/office.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { RandomSource } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { findVisible } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { credentialIdOf } from '../identity/index.ts';
import { officeFormat } from './formats.ts';
import { CALLBACK_MS, FILE_MS, REACH_MS, type Office, type OfficeDeps } from './office.ts';
import { sealCapability } from './capability-urls.ts';
import { joinSession } from './sessions.ts';
import { titleOf } from './title.ts';

export interface ConfigDeps extends OfficeDeps, ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'pinLock' | 'officeSessions'>;
  readonly random: RandomSource;
  readonly sealer: Sealer;
  /** Where the service is reached, without a slash at its end. */
  readonly publicUrl: () => string;
}

export const DEVICES = ['desktop', 'mobile'] as const;

export interface EditorOptions {
  readonly device: (typeof DEVICES)[number];
  /** Language of the editor's user interface, such as `de` or `pt-BR`. */
  readonly language: string;
}

export const OFF_REASONS = ['switched_off', 'engine_unavailable', 'unsupported_format'] as const;
export type OffReason = (typeof OFF_REASONS)[number];

/** The editor configuration, with the field names of the document server. */
export interface EditorConfig {
  readonly document: {
    readonly fileType: string;
    readonly key: string;
    readonly title: string;
    readonly url: string;
    readonly permissions: Readonly<Record<Permission, boolean>>;
  };
  readonly documentType: OfficeKind;
  readonly editorConfig: {
    readonly callbackUrl: string;
    readonly mode: 'edit' | 'view';
    readonly lang: string;
    readonly user: { readonly id: string; readonly name: string };
  };
  readonly type: EditorOptions['device'];
}

export const PERMISSIONS = [
  'comment',
  'copy',
  'download',
  'edit',
  'fillForms',
  'print',
  'review',
] as const;
type Permission = (typeof PERMISSIONS)[number];

export type OfficeAnswer =
  | { readonly enabled: false; readonly reason: OffReason }
  | {
      readonly enabled: true;
      readonly serverUrl: string;
      readonly config: EditorConfig & { readonly token: string };
    };

const off = (reason: OffReason): OfficeAnswer => ({ enabled: false, reason });

/**
 * The signed editor configuration for the current version of an object, or why it cannot be opened. Ends with
 * `not_found` only.
 */
export async function officeConfig(
  deps: ConfigDeps,
  caller: Caller,
  id: string,
  input: EditorOptions,
): Promise<OfficeAnswer> {
  const { office } = deps;
  const { format } = await deps.uow.read(caller.scope, async (stores) =>
    findVisible(stores, await zoneFor(deps, stores.pinLock, caller), id),
  );
  if (!office) return off('switched_off');
  if (!officeFormat(format)) return off('unsupported_format');
  const reached = await office.engine.reach(REACH_MS);
  if (!reached.ok) return off('engine_unavailable');
  const config = await deps.uow.write(caller.scope, async (stores) => {
    const object = await findVisible(stores, await zoneFor(deps, stores.pinLock, caller), id);
    const known = officeFormat(object.format);
    // The type may have changed since.
    if (!known) return undefined;
    const mayEdit = known.editable && caller.scopes.has('write') && object.deletedAt === null;
    const { key } = await joinSession(deps, stores, object, mayEdit);
    return configFor(deps, caller, input, { object, key, kind: known.kind, mayEdit });
  });
  return config ? signed(office, config) : off('unsupported_format');
}

async function signed(office: Office, config: EditorConfig): Promise<OfficeAnswer> {
  const token = await office.engine.sign({ ...config }, FILE_MS / 1000);
  return { enabled: true, serverUrl: office.serverUrl, config: { ...config, token } };
}

interface Opened {
  readonly object: StoredObject;
  readonly key: string;
  readonly kind: OfficeKind;
  readonly mayEdit: boolean;
}

function configFor(
  deps: ConfigDeps,
  caller: Caller,
  { device, language }: EditorOptions,
  { object, key, kind, mayEdit }: Opened,
): EditorConfig {
  const now = deps.clock.now();
  const { scope, owner, hiddenToken } = caller;
  const pass = {
    scope,
    objectId: object.id,
    version: object.version,
    credential: credentialIdOf(caller),
  };
  // For a hidden object only: other objects need no unlock token.
  const unlockedBy =
    object.isHidden && hiddenToken !== undefined ? deps.digests.digest(hiddenToken) : null;
  const file = sealCapability(deps, { ...pass, opens: 'file', unlockedBy, until: now + FILE_MS });
  const callback = sealCapability(deps, {
    ...pass,
    opens: 'callback',
    key,
    until: now + CALLBACK_MS,
  });
  const base = `${deps.publicUrl()}/v1/public/office`;
  return {
    document: {
      fileType: object.format,
      key,
      title: titleOf(object.filename),
      url: `${base}/files/${file}`,
      permissions: {
        comment: mayEdit,
        copy: true,
        download: true,
        edit: mayEdit,
        fillForms: mayEdit,
        print: true,
        review: mayEdit,
      },
    },
    documentType: kind,
    editorConfig: {
      callbackUrl: `${base}/callbacks/${callback}`,
      mode: mayEdit ? 'edit' : 'view',
      lang: language,
      user: { id: owner.id, name: owner.name },
    },
    type: device,
  };
}
