import { ApiError } from '../../api/errors.ts';
import { t } from '../../i18n/shares.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed } from '../../ui/notice.tsx';

/** Why a link could not be made, changed or ended. Errors of single fields are shown beside these. */
export function Refusal({ error, retry }: { error: unknown; retry?: () => void }) {
  if (error === undefined) return null;
  const refusals = new Map(Object.entries(t().shares.refusals));
  const message = error instanceof ApiError ? refusals.get(error.code) : undefined;
  if (message === undefined) return <Failed error={error} {...(retry && { retry })} />;
  return (
    <div class="note bad" role="alert">
      <Icon name="alert" />
      <p class="grow">{message}</p>
    </div>
  );
}
