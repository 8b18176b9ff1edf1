import { signal } from '@preact/signals';
import { messageOf } from '../../i18n/errors.ts';
import { t } from '../../i18n/language.ts';
import { onLock } from '../../state/zone-token.ts';

/** A change that failed, in whole or in part. It is shown above the list. */
export interface Problem {
  readonly text: string;
  readonly retry?: () => void;
}

export const problem = signal<Problem | undefined>(undefined);

/** A change of many documents that runs. */
export interface Activity {
  readonly text: string;
  readonly done: number;
  readonly total: number;
}

export const activity = signal<Activity | undefined>(undefined);

export function reportFailure(error: unknown, retry?: () => void): void {
  problem.value = { text: messageOf(error), ...(retry && { retry }) };
}

/** `2 could not be changed: It is no longer there.` for each reason. */
export function reportFailed(failed: ReadonlyMap<string, number>, retry?: () => void): void {
  const codes = new Map(Object.entries({ ...t().errors.codes, ...t().library.reasons }));
  const text = [...failed]
    .map(([code, count]) => `${t().library.couldNot(count)} ${codes.get(code) ?? code}`)
    .join(' ');
  problem.value = { text, ...(retry && { retry }) };
}

onLock(() => {
  problem.value = undefined;
  activity.value = undefined;
});
