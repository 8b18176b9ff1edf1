import { to } from '../../app/address.ts';
import { nameOfRole, putInUse, roleInUse, type Role } from '../../data/roles.ts';
import { t } from '../../i18n/agent.ts';
import { messageOf } from '../../i18n/errors.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toasts.tsx';

/** In which role the agent works. */
export function RoleChoice({ roles }: { roles: readonly Role[] }) {
  const { agent } = t();
  const current = roleInUse(roles);
  return (
    <Menu
      class="button plain scope"
      button={
        <>
          <Icon name="person" />
          <span class="vh">{agent.role} </span>
          <bdi class="cut">{current ? nameOfRole(current) : agent.title}</bdi>
          <Icon name="down" small />
        </>
      }
    >
      {roles.map((role) => (
        <button
          key={role.slug}
          type="button"
          aria-current={role.slug === current?.slug ? 'true' : undefined}
          onClick={() =>
            void putInUse(role, roles).catch((error: unknown) => toast(messageOf(error)))
          }
        >
          <Icon name="person" />
          <bdi class="cut">{nameOfRole(role)}</bdi>
        </button>
      ))}
      <a href={to('/settings/roles')}>
        <Icon name="settings" />
        {agent.manageRoles}
      </a>
    </Menu>
  );
}
