import { useSignal } from '@preact/signals';
import { ApiError } from '../../api/errors.ts';
import { t } from '../../i18n/language.ts';
import { settingsText } from '../../i18n/settings-text.ts';
import { isSignedIn } from '../../state/session-state.ts';
import { Failed } from '../../ui/notice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PasskeyCancelled } from '../sign-in/passkey.ts';

export interface Attempt {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Whether it succeeded. */
  readonly run: (change: () => Promise<unknown>) => Promise<boolean>;
}

/** A change that may be refused, one at a time. */
export function useAttempt(): Attempt {
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const run = async (change: () => Promise<unknown>): Promise<boolean> => {
    isBusy.value = true;
    error.value = undefined;
    try {
      await change();
      return true;
    } catch (failure) {
      error.value = failure;
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy: isBusy.value, error: error.value, run };
}

export interface RefusedProps {
  readonly error: unknown;
  /** What codes of the service mean here, in place of the messages that every screen has. */
  readonly codes?: Readonly<Record<string, string>>;
}

/** Why a change was refused. One that needs a fresh sign-in leads to it: the app returns to this address afterwards. */
export function Refused({ error, codes }: RefusedProps) {
  const { signIn } = t();
  const text = settingsText();
  if (error === undefined) return null;
  if (error instanceof PasskeyCancelled)
    return (
      <p class="note warn" role="alert">
        <Icon name="alert" />
        {signIn.passkeyCancelled}
      </p>
    );
  const meaning =
    error instanceof ApiError ? new Map(Object.entries(codes ?? {})).get(error.code) : undefined;
  if (meaning !== undefined)
    return (
      <div class="note bad" role="alert">
        <Icon name="alert" />
        <p class="grow">{meaning}</p>
      </div>
    );
  if (!(error instanceof ApiError) || error.code !== 'sign_in_again')
    return <Failed error={error} />;
  return (
    <div class="note warn" role="alert">
      <Icon name="key" />
      <p class="grow">{text.signInAgainWhy}</p>
      <button type="button" class="act" onClick={() => void (isSignedIn.value = false)}>
        {text.signInAgain}
      </button>
    </div>
  );
}
