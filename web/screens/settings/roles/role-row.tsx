import {
  descriptionOfRole,
  nameOfRole,
  putInUse,
  roleInUse,
  TOOLSETS,
  type Role,
} from '../../../data/roles.ts';
import { t } from '../../../i18n/roles.ts';
import { Failed } from '../../../ui/notice.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useAttempt } from '../attempt.tsx';

interface RoleRowProps {
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** A role with its tools, its instructions, and what can be done with it. */
export function RoleRow({ role, roles, onEdit, onDelete }: RoleRowProps) {
  const { roles: text } = t();
  const attempt = useAttempt();
  const name = nameOfRole(role);
  const description = descriptionOfRole(role);
  const isInUse = roleInUse(roles)?.slug === role.slug;
  const tools = TOOLSETS.filter((each) => role.toolsets.includes(each));
  return (
    <li class="role">
      <div class="role-head">
        <b>
          {role.kind === 'custom' && role.icon !== '' && (
            <span aria-hidden="true">{role.icon} </span>
          )}
          <bdi>{name}</bdi>
        </b>
        {isInUse && (
          <span class="state good">
            <Icon name="check" />
            {text.inUse}
          </span>
        )}
      </div>
      {description !== '' && (
        <p>
          <bdi>{description}</bdi>
        </p>
      )}
      <p class="soft">
        {tools.length === 0 ? text.noTools : tools.map((each) => text.toolsets[each]).join(' · ')}
      </p>
      <details>
        <summary>{text.showInstructions}</summary>
        <p class="persona" dir="auto">
          {role.persona}
        </p>
      </details>
      {attempt.error !== undefined && <Failed error={attempt.error} />}
      <div class="buttons">
        {!isInUse && (
          <button
            type="button"
            class="button small"
            aria-label={text.useRole(name)}
            disabled={attempt.isBusy}
            onClick={() => void attempt.run(() => putInUse(role, roles))}
          >
            {text.use}
          </button>
        )}
        {!role.locked && (
          <>
            <button
              type="button"
              class="button small"
              aria-label={text.editRole(name)}
              onClick={onEdit}
            >
              {text.edit}
            </button>
            <button
              type="button"
              class="button small danger"
              aria-label={text.deleteRole(name)}
              onClick={onDelete}
            >
              {text.delete}
            </button>
          </>
        )}
      </div>
    </li>
  );
}
