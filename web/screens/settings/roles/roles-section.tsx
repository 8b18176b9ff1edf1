import { useSignal } from '@preact/signals';
import { useRoles, type Role } from '../../../data/roles.ts';
import { t } from '../../../i18n/roles.ts';
import { Failed, Working } from '../../../ui/notice.tsx';
import { Setting } from '../setting.tsx';
import { DeleteRole } from './delete-role.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { RoleRow } from './role-row.tsx';

type Opened =
  { readonly kind: 'create' } | { readonly kind: 'edit' | 'delete'; readonly role: Role };

/** Roles of the agent: which is in use, what each may do, the owner's own. */
export default function RolesSection() {
  const { roles: text, shell } = t();
  const { data, error, reload } = useRoles();
  const opened = useSignal<Opened | undefined>(undefined);
  const close = () => void (opened.value = undefined);
  const { builtin = [], custom = [] } = Object.groupBy(data ?? [], ({ kind }) => kind);
  const rows = (roles: readonly Role[]) => (
    <ul class="entries roles">
      {roles.map((role) => (
        <RoleRow
          key={role.slug}
          role={role}
          roles={data ?? []}
          onEdit={() => (opened.value = { kind: 'edit', role })}
          onDelete={() => (opened.value = { kind: 'delete', role })}
        />
      ))}
    </ul>
  );
  if (!data)
    return error === undefined ? (
      <Working>{shell.loading}</Working>
    ) : (
      <Failed error={error} retry={reload} />
    );
  const { value: open } = opened;
  return (
    <>
      {error !== undefined && <Failed error={error} retry={reload} />}
      <p class="soft roles-hint">{text.hint}</p>
      <Setting title={text.builtIn} hint={text.builtInHint}>
        {rows(builtin)}
      </Setting>
      <Setting title={text.own} hint={text.ownHint}>
        {custom.length === 0 && <p class="soft">{text.noOwn}</p>}
        {rows(custom)}
        <div class="buttons">
          <button type="button" class="button" onClick={() => (opened.value = { kind: 'create' })}>
            {text.create}
          </button>
        </div>
      </Setting>
      {open?.kind === 'create' && <RoleDialog role={undefined} onClose={close} />}
      {open?.kind === 'edit' && <RoleDialog role={open.role} onClose={close} />}
      {open?.kind === 'delete' && <DeleteRole role={open.role} onClose={close} />}
    </>
  );
}
