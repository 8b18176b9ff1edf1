import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/viewer.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed, Working } from '../../../ui/notice.tsx';
import { readContent } from '../content.ts';
import type { DocumentDetail } from '../kinds.ts';
import { diffLines } from './diff.ts';

interface CompareProps {
  readonly document: DocumentDetail;
  readonly earlier: number;
  readonly closeLabel: string;
  readonly onClose: () => void;
}

/** What was added and removed since an earlier version, line by line. */
export function CompareDialog({ document: shown, earlier, closeLabel, onClose }: CompareProps) {
  const { viewer } = t();
  const { data, error, reload } = useResource(
    `compare ${shown.id} ${earlier} ${shown.version}`,
    async (signal) => {
      const texts = await Promise.all(
        [earlier, shown.version].map(async (version) => {
          const bytes = await readContent({ id: shown.id, version }, signal);
          return new TextDecoder().decode(bytes);
        }),
      );
      return diffLines(texts[0] ?? '', texts[1] ?? '');
    },
  );
  return (
    <Dialog
      title={viewer.compareTitle(earlier, shown.version)}
      wide
      onClose={onClose}
      onSubmit={onClose}
      foot={
        <button type="submit" class="button">
          {closeLabel}
        </button>
      }
    >
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!data && error === undefined && <Working>{viewer.comparing}</Working>}
      {data?.length === 0 && <p>{viewer.same}</p>}
      {data && data.length > 0 && (
        <div class="diff" tabIndex={0} role="region" aria-label={viewer.changes}>
          {data.map(({ sign, line }, index) =>
            sign === '-' ? (
              <del key={index} dir="auto">
                {line}
              </del>
            ) : sign === '+' ? (
              <ins key={index} dir="auto">
                {line}
              </ins>
            ) : (
              <p key={index} dir="auto" class={sign === '…' ? 'soft' : ''}>
                {sign === '…' ? '…' : line}
              </p>
            ),
          )}
        </div>
      )}
    </Dialog>
  );
}
