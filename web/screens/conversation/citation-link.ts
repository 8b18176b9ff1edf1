import { to } from '../../app/address.ts';
import { citedAnswer } from '../../state/cited.ts';
import { whileUnlocked } from '../../state/zone-token.ts';
import { t } from '../../i18n/ask.ts';
import type { Citation, Exchange } from './exchange.ts';

/** The viewer at the cited words. */
export const addressOf = ({ object_id, char_start, char_end }: Citation): string =>
  to(`/object/${object_id}#t=${char_start}-${char_end}`);

export const nameOf = ({ title, filename }: Citation): string => title || filename;

/** `Source 1: Tenancy agreement, page 4`. */
export const labelOf = (citation: Citation): string =>
  t().ask.sourceLabel(citation.index, nameOf(citation), citation.page ?? undefined);

/** Hands the answer over to the viewer. A press with Alt opens the place in a new tab instead. */
export const openCitation =
  (citation: Citation, { question, citations }: Exchange, chatId: string | undefined) =>
  (event: MouseEvent): void => {
    if (event.altKey) {
      event.preventDefault();
      window.open(addressOf(citation), '_blank', 'noopener');
      return;
    }
    const place = location.pathname.startsWith(to('/agent')) ? '/agent' : '/ask';
    citedAnswer.value = { question, chatId: chatId ?? null, place, citations };
    whileUnlocked()?.signal.addEventListener('abort', () => (citedAnswer.value = undefined), {
      once: true,
    });
  };
