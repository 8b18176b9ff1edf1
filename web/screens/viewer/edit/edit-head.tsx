import type { ComponentChildren } from 'preact';
import { to } from '../../../app/address.ts';
import { t } from '../../../i18n/viewer.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ScreenHeading } from '../../../ui/screen.tsx';

export type SaveState = 'clean' | 'unsaved' | 'saving' | 'saved';

interface EditHeadProps {
  /** Undefined for what is not there yet. */
  readonly id: string | undefined;
  readonly name: string;
  readonly title: string;
  readonly state?: SaveState;
  /** Instead of what is said of the state. */
  readonly status?: string;
  /** Without it there is no button: what is edited is saved elsewhere. */
  readonly onSave?: () => void;
  readonly children?: ComponentChildren;
}

/** The way back, the name, whether all is saved, and Save. */
export function EditHead(props: EditHeadProps) {
  const { id, name, title, state = 'clean', onSave, children } = props;
  const { viewer } = t();
  const said = { clean: '', unsaved: viewer.unsaved, saving: viewer.saving, saved: viewer.saved };
  return (
    <div class="bar">
      <a
        class="crumb"
        href={to(id === undefined ? '/library' : `/object/${id}`)}
        aria-label={viewer.backTo(name)}
      >
        <Icon name="back" flip />
        <span class="cut">{name}</span>
      </a>
      <div class="grow bar-title">
        <ScreenHeading>
          <bdi class="cut">{title}</bdi>
        </ScreenHeading>
      </div>
      <span class="soft" role="status">
        {props.status ?? said[state]}
      </span>
      {children}
      {onSave && (
        <button
          type="button"
          class="button strong"
          disabled={state === 'saving' || state === 'clean' || state === 'saved'}
          onClick={onSave}
        >
          {viewer.save}
        </button>
      )}
    </div>
  );
}
