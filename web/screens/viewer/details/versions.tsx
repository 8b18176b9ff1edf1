import { useRef, useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { reply } from '../../../api/errors.ts';
import type { components } from '../../../api/schema.js';
import { useResource } from '../../../data/resource.ts';
import { formatMoment, formatSize } from '../../../i18n/format.ts';
import { t } from '../../../i18n/viewer.ts';
import { Failed } from '../../../ui/notice.tsx';
import type { Commands } from '../commands.ts';
import { downloadContent } from '../content.ts';
import { isEditable, type DocumentDetail } from '../kinds.ts';
import { CompareDialog } from './compare-dialog.tsx';

type Version = components['schemas']['ObjectVersion'];

/** Shown at first. */
const FEW = 5;

/** Earlier contents of the document: to be compared, saved and restored. */
export function Versions({
  document: shown,
  commands,
}: {
  document: DocumentDetail;
  commands: Commands;
}) {
  const { viewer, shell } = t();
  const { data, error, reload } = useResource(`versions ${shown.id} ${shown.version}`, (signal) =>
    reply(
      api.GET('/v1/objects/{object_id}/versions', {
        params: { path: { object_id: shown.id } },
        signal,
      }),
    ),
  );
  const [areAllShown, showAll] = useState(false);
  const [compared, compare] = useState<number>();
  const file = useRef<HTMLInputElement>(null);
  const isTrashed = shown.deleted_at !== null;
  const all = (data?.items ?? []).toSorted((a, b) => b.version - a.version);
  return (
    <>
      <h3>
        {viewer.versions}
        {!isTrashed && (
          <button type="button" class="act" onClick={() => file.current?.click()}>
            {viewer.addVersion}
          </button>
        )}
      </h3>
      <input
        ref={file}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          if (chosen) commands.addVersion(chosen);
          currentTarget.value = '';
        }}
      />
      {error !== undefined && <Failed error={error} retry={reload} />}
      <ol class="versions">
        {(areAllShown ? all : all.slice(0, FEW)).map((version) => (
          <VersionRow
            key={version.version}
            document={shown}
            version={version}
            commands={commands}
            onCompare={() => compare(version.version)}
          />
        ))}
      </ol>
      {!areAllShown && all.length > FEW && (
        <button type="button" class="act" onClick={() => showAll(true)}>
          {viewer.allVersions(all.length)}
        </button>
      )}
      {compared !== undefined && (
        <CompareDialog
          document={shown}
          earlier={compared}
          closeLabel={shell.close}
          onClose={() => compare(undefined)}
        />
      )}
    </>
  );
}

interface VersionRowProps {
  readonly document: DocumentDetail;
  readonly version: Version;
  readonly commands: Commands;
  readonly onCompare: () => void;
}

function VersionRow({ document: shown, version, commands, onCompare }: VersionRowProps) {
  const { viewer } = t();
  const number = version.version;
  const isNow = number === shown.version;
  const origin = viewer.origins[version.origin];
  const date = `${formatMoment(version.created_at)} · ${formatSize(version.size)}`;
  return (
    <li>
      {isNow ? <b class="num">{number}</b> : <span class="num">{number}</span>}
      <span>
        {isNow ? <b>{origin}</b> : origin}
        <br />
        <span class="soft num">{date}</span>
        {!isNow && (
          <span class="version-acts">
            {isEditable(shown) && (
              <button type="button" class="act" onClick={onCompare}>
                {viewer.compare}
              </button>
            )}
            <button
              type="button"
              class="act"
              aria-label={viewer.downloadVersion(number)}
              onClick={() => void downloadContent({ ...shown, version: number })}
            >
              {viewer.download}
            </button>
          </span>
        )}
      </span>
      {isNow ? (
        <span class="soft">{viewer.now}</span>
      ) : (
        shown.deleted_at === null && (
          <button
            type="button"
            class="button small"
            aria-label={viewer.restoreVersion(number)}
            onClick={() => commands.restoreVersion(number)}
          >
            {viewer.restore}
          </button>
        )
      )}
    </li>
  );
}
