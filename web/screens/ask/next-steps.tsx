import { useSignal } from '@preact/signals';
import { openAddMenu } from '../../app/add-menu.tsx';
import { to } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/ask.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { TurnProps } from './turn-props.ts';
import { UnreadDialog } from './unread.tsx';

/** What can be done where the service has found nothing. */
export function NextSteps({ exchange, folderId }: TurnProps) {
  const { question, coverage, about } = exchange;
  const hasUnread = useSignal(false);
  const nearest = useResource(`nearest ${question}`, async (signal) => {
    const query = { q: question.slice(0, MAX_QUERY_LENGTH), limit: 1 };
    return (await reply(api.GET('/v1/search', { params: { query }, signal }))).total;
  });
  const unread = coverage?.unread ?? 0;
  return (
    <>
      <ul class="next">
        {nearest.data !== undefined && nearest.data > 0 && (
          <li>
            <a href={to(`/library?q=${encodeURIComponent(question.slice(0, MAX_QUERY_LENGTH))}`)}>
              <StepIn icon="search" text={t().ask.seeNearest(nearest.data)} />
            </a>
          </li>
        )}
        {unread > 0 && (
          <li>
            <button type="button" onClick={() => (hasUnread.value = true)}>
              <StepIn icon="alert" text={t().ask.seeUnread(unread)} />
            </button>
          </li>
        )}
        <li>
          <button type="button" onClick={openAddMenu}>
            <StepIn icon="plus" text={t().ask.addMissing} />
          </button>
        </li>
      </ul>
      {hasUnread.value && (
        <UnreadDialog
          count={unread}
          folderId={folderId}
          isLimited={about.length > 0}
          onClose={() => (hasUnread.value = false)}
        />
      )}
    </>
  );
}

const MAX_QUERY_LENGTH = 500;

const StepIn = ({ icon, text }: { icon: IconName; text: string }) => (
  <>
    <Icon name={icon} />
    <span>{text}</span>
    <Icon name="right" small flip />
  </>
);
