import type { ComponentChildren } from 'preact';
import { messageOf } from '../i18n/errors.ts';
import { t } from '../i18n/language.ts';
import { ApiError } from '../api/errors.ts';
import { Icon } from './icon.tsx';

/** Nothing to show, with what can be done about it. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="serif">{title}</p>
    {children}
  </div>
);

/** A part that could not be loaded. What was shown before stays beside it. */
export const Failed = ({ error, retry }: { error: unknown; retry?: () => void }) => (
  <div class="note bad" role="alert">
    <Icon name="alert" />
    <p class="grow">
      {messageOf(error)}
      {error instanceof ApiError && error.status >= 500 && error.requestId && (
        <small class="mono"> {error.requestId}</small>
      )}
    </p>
    {retry && (
      <button type="button" class="act" onClick={retry}>
        {t().shell.tryAgain}
      </button>
    )}
  </div>
);

/** Work that runs, with its noun: `Searching 312 documents`. */
export const Working = ({ children }: { children: ComponentChildren }) => (
  <p class="state" role="status">
    <span class="spin" aria-hidden="true" />
    {children}
  </p>
);
