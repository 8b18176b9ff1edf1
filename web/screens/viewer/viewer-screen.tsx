import { useLocation } from 'preact-iso';
import { useMemo } from 'preact/hooks';
import { ApiError } from '../../api/errors.ts';
import { t } from '../../i18n/viewer.ts';
import { Empty, Failed, Working } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useDocument, useText } from './document.ts';
import { useHiddenGone } from './hidden-gone.ts';
import { useShownVersion } from './shown-version.ts';
import { Viewer } from './viewer.tsx';
import { to } from '../../app/address.ts';
import { withStyles } from '../../app/style-sheet.ts';
import { lazyScreen } from '../../ui/lazily.tsx';

const PictureScreen = lazyScreen(() =>
  withStyles(import('./picture/picture-screen.tsx'), 'picture'),
);
const EditScreen = lazyScreen(() => import('./edit/edit-screen.tsx'));

/** One document: as it is, its text, and what is known of it; or its text being edited. */
export default function ViewerScreen({ id = '', part = '' }: { id?: string; part?: string }) {
  const { route } = useLocation();
  const { data: newest, error, reload } = useDocument(id);
  const isEdited = part === 'edit' || part === 'correct';
  const isPicture = part === 'picture';
  const { shown: data, newer, showNewest } = useShownVersion(newest, isEdited || isPicture);
  const read = useText(data);
  const isGone = useHiddenGone(data);
  const reading = read.data === 'none' ? undefined : read.data;
  const { shell } = t();
  const key = useMemo(() => ({}), [id]);
  if (isGone || (error instanceof ApiError && (error.status === 404 || error.status === 422)))
    return (
      <Screen title={shell.notFound}>
        <Empty title={t().viewer.notHere}>
          <a class="button" href={to('/library')}>
            {shell.goTo(shell.places.library)}
          </a>
        </Empty>
      </Screen>
    );
  if (!data)
    return (
      <Screen title={t().viewer.document}>
        {error === undefined ? (
          <Working>{shell.loading}</Working>
        ) : (
          <Failed error={error} retry={reload} />
        )}
      </Screen>
    );
  if (isEdited && data.deleted_at === null)
    return (
      <EditScreen
        key={`${id} ${part}`}
        document={data}
        reading={reading}
        isLoading={read.isLoading}
        isReading={part === 'correct'}
      />
    );
  if (isPicture && data.deleted_at === null)
    return <PictureScreen key={`${id} ${part}`} document={data} />;
  return (
    <Viewer
      key={id}
      document={data}
      newer={newer}
      showNewest={showNewest}
      reading={reading}
      isTextLoading={read.isLoading && read.data === undefined}
      textError={read.error}
      reloadText={read.reload}
      go={route}
      identity={key}
    />
  );
}
