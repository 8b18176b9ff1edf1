import { formatDay } from '../../i18n/format.ts';
import { t } from '../../i18n/shares.ts';
import type { ShareLink } from './share-data.ts';

const SOON_MS = 3 * 86_400_000;

export interface StateWords {
  readonly word: string;
  /** Why it is so, or what protects it. */
  readonly why: string;
  readonly tone: 'wait' | 'plain' | 'soft';
}

/** The state of a link in words: open, with a password, ended, resting and why. */
export function stateOf(share: ShareLink): StateWords {
  const { shares } = t();
  switch (share.state) {
    case 'open':
      return { word: shares.states.open, why: shares.noPassword, tone: 'plain' };
    case 'locked':
      return { word: shares.states.open, why: shares.withPassword, tone: 'plain' };
    case 'expired':
      return { word: shares.states.expired, why: '', tone: 'soft' };
    case 'suspended':
      return { word: shares.states.suspended, why: restReason(share), tone: 'wait' };
  }
}

const restReason = ({ state_reason: reason }: ShareLink): string => {
  const { rests } = t().shares;
  return reason === 'hidden' || reason === 'in_trash' ? rests[reason] : '';
};

export const endOf = ({ expires_at: end }: ShareLink): string =>
  end === null ? t().shares.neverEnds : formatDay(end);

/** Whether it ends in the next days. */
export const endsSoon = ({ expires_at: end, state }: ShareLink, now = Date.now()): boolean =>
  end !== null && state !== 'expired' && Date.parse(end) - now < SOON_MS;
