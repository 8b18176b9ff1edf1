import { signal } from '@preact/signals';
import { ErrorBoundary } from 'preact-iso';
import { useMemo } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { useActions } from './action.ts';
import { lazily } from '../ui/lazily.tsx';

const HelpContent = lazily(() => import('./help-content.tsx'));
const isOpen = signal(false);

/** The keys that apply here, from the table that their handlers are made from. */
export function HelpDialog() {
  useActions(
    useMemo(
      () => [
        {
          id: 'help',
          group: 'everywhere' as const,
          label: () => t().keys.help,
          keys: ['?'],
          run: () => void (isOpen.value = true),
        },
      ],
      [],
    ),
  );
  if (!isOpen.value) return null;
  return (
    <ErrorBoundary>
      <HelpContent close={() => void (isOpen.value = false)} />
    </ErrorBoundary>
  );
}
