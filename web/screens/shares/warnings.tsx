import { t } from '../../i18n/shares.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Subject, Warning } from './share-data.ts';

export interface WarningsProps {
  readonly kind: Subject['kind'];
  readonly warnings: readonly Warning[];
}

/** Types of documents that are rarely meant for others, and what no visitor ever sees. */
export function Warnings({ kind, warnings }: WarningsProps) {
  const { shares } = t();
  return (
    <>
      {warnings.length > 0 && (
        <div class="note warn" role="status">
          <Icon name="alert" />
          <p>
            <b>
              {warnings.map(({ doc_type: type, count }) => shares.warnings[type](count)).join(' ')}
            </b>{' '}
            {kind === 'folder' ? shares.warnedInFolder : shares.warnedFile}
          </p>
        </div>
      )}
      <p class="hint soft">{shares.neverSeen}</p>
    </>
  );
}
