import { folderOf } from '../../../data/folders.ts';
import { t } from '../../../i18n/viewer.ts';
import { openViewerDialog, type Commands } from '../commands.ts';
import type { DocumentDetail } from '../kinds.ts';

/** A name or a folder that is suggested, and why. */
export function Suggestion({
  document: shown,
  commands,
}: {
  document: DocumentDetail;
  commands: Commands;
}) {
  const { viewer, library } = t();
  const { suggested_name: name, suggested_collection_id: folder, suggested_reason: why } = shown;
  if (name === null && folder === null) return null;
  const folderName = folderOf(folder)?.name;
  return (
    <div class="card offered" role="group" aria-label={viewer.suggestion}>
      {name !== null && (
        <>
          <p class="soft">{viewer.suggestedName}</p>
          <p class="name">
            <bdi>{name}</bdi>
          </p>
        </>
      )}
      {folderName !== undefined && (
        <>
          <p class="soft">{viewer.suggestedFolder}</p>
          <p class="name">
            <bdi>{folderName}</bdi>
          </p>
        </>
      )}
      {why && <p class="soft">{why}</p>}
      <div class="buttons">
        <button
          type="button"
          class="button strong small"
          onClick={() => commands.answerSuggestion(true)}
        >
          {library.take}
        </button>
        <button type="button" class="button small" onClick={() => commands.answerSuggestion(false)}>
          {library.keepMine}
        </button>
        {name !== null && (
          <button
            type="button"
            class="button plain small"
            onClick={() => openViewerDialog('edit-suggestion')}
          >
            {viewer.actions.edit}
          </button>
        )}
      </div>
    </div>
  );
}
