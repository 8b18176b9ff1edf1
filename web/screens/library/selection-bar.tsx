import { useLocation } from 'preact-iso';
import { formatNumber } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { askAboutDocuments } from './ask-about-documents.ts';
import { changeDocuments } from './changes.ts';
import { canGiveToAgent, giveToAgent } from './give-to-agent.ts';
import { openDialog, openDialogFor } from './dialog-state.ts';
import type { ListModel } from './list-model.ts';
import { shareAddress } from './share-address.ts';

/** What can be done with the selected documents. It is shown while some are selected. */
export function SelectionBar({ model, isTrash }: { model: ListModel; isTrash: boolean }) {
  const { library } = t();
  const { route } = useLocation();
  const { value: count } = model.selectedCount;
  const { value: total } = model.total;
  const { value: selection } = model.selection;
  if (count === 0) return null;
  const change = (action: 'trash' | 'restore' | 'hide') => () => {
    const selected = model.target();
    if (selected) void changeDocuments(model, selected, { action });
  };
  const text =
    selection.isAll && selection.except.size > 0
      ? library.allBut(selection.except.size, count)
      : library.selected(count);
  const [item] = model.targetItems();
  const share = shareAddress(model);
  return (
    <div class="selection" role="toolbar" aria-label={library.selection}>
      <button
        type="button"
        class="tool"
        aria-label={library.actions.none}
        onClick={model.selectNone}
      >
        <Icon name="x" />
      </button>
      <b class="num" role="status">
        {text}
      </b>
      {!selection.isAll && count < total && (
        <button type="button" class="act num hide-phone" onClick={model.selectAll}>
          {library.selectAll(formatNumber(total))}
        </button>
      )}
      <div class="end">
        {isTrash ? (
          <>
            <Act icon="undo" label={library.restore} onClick={change('restore')} />
            <Act icon="trash" label={library.erase} onClick={() => openDialogFor(model, 'erase')} />
          </>
        ) : (
          <>
            <Act icon="move" label={library.move} onClick={() => openDialogFor(model, 'move')} />
            <Act icon="tag" label={library.label} onClick={() => openDialogFor(model, 'label')} />
            <Act
              icon="ask"
              class="hide-phone"
              label={library.ask}
              onClick={() => askAboutDocuments(model, route)}
            />
            <Act icon="trash" label={library.trash} onClick={change('trash')} />
            <Menu label={library.more} button={<Icon name="more" />}>
              {!selection.isAll && count < total && (
                <button type="button" onClick={model.selectAll}>
                  <Icon name="check" />
                  {library.selectAll(formatNumber(total))}
                </button>
              )}
              <button type="button" onClick={() => askAboutDocuments(model, route)}>
                <Icon name="ask" />
                {library.actions.ask}
              </button>
              {share && (
                <a href={share}>
                  <Icon name="link" />
                  {library.actions.share}
                </a>
              )}
              {canGiveToAgent(model) && (
                <button type="button" onClick={() => giveToAgent(model, route)}>
                  <Icon name="agent" />
                  {library.actions.give}
                </button>
              )}
              <button type="button" onClick={change('hide')}>
                <Icon name="eyeoff" />
                {t().hidden.hide}
              </button>
              {count === 1 && item && (
                <button
                  type="button"
                  onClick={() => void (openDialog.value = { kind: 'rename', item })}
                >
                  <Icon name="edit" />
                  {library.actions.rename}
                </button>
              )}
            </Menu>
          </>
        )}
      </div>
    </div>
  );
}

const Act = ({
  icon,
  label,
  class: more = '',
  onClick,
}: {
  icon: IconName;
  label: string;
  class?: string;
  onClick: () => void;
}) => (
  <button type="button" class={`button plain ${more}`} onClick={onClick} aria-label={label}>
    <Icon name={icon} />
    <span class="label">{label}</span>
  </button>
);
