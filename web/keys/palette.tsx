import { signal } from '@preact/signals';
import { ErrorBoundary } from 'preact-iso';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { whileUnlocked } from '../state/zone-token.ts';
import { useActions } from './action.ts';
import { lazily } from '../ui/lazily.tsx';
import { typedAhead } from './typed-ahead.ts';

const PaletteDialog = lazily(() => import('./palette-dialog.tsx'));

const PRELOAD_AFTER_MS = 1_500;

const isOpen = signal(false);

/** Finds actions, folders and documents by name. What is typed into it is stored nowhere. */
export function Palette() {
  const chosen = useRef<(() => void) | undefined>(undefined);
  const typed = useRef<ReturnType<typeof typedAhead> | undefined>(undefined);
  const close = useMemo(() => () => void (isOpen.value = false), []);
  useActions(
    useMemo(
      () => [
        {
          id: 'palette',
          group: 'everywhere' as const,
          label: () => t().shell.palette,
          keys: ['Ctrl+K'],
          inFields: true,
          notInPalette: true,
          isEnabled: () => document.querySelector('dialog[open]') === null,
          run: () => {
            typed.current?.stop();
            typed.current = typedAhead();
            isOpen.value = true;
          },
        },
      ],
      [],
    ),
  );
  // Loaded before it is needed. What is typed before it is there belongs into its field.
  useEffect(() => {
    const timer = setTimeout(PaletteDialog.preload, PRELOAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      typed.current?.stop();
    };
  }, []);
  const open = isOpen.value;
  useEffect(() => {
    if (open) {
      // It may show what is hidden, so it does not outlast the hidden zone.
      const locked = whileUnlocked()?.signal;
      locked?.addEventListener('abort', close);
      return () => locked?.removeEventListener('abort', close);
    }
    typed.current?.stop();
    // The focus is where it was before, and no dialog has the keyboard.
    const run = chosen.current;
    chosen.current = undefined;
    run?.();
    return undefined;
  }, [open, close]);
  if (!open) return null;
  return (
    <ErrorBoundary>
      <PaletteDialog
        takeTyped={() => typed.current?.take() ?? ''}
        onClose={close}
        onChoose={(run) => {
          chosen.current = run;
          close();
        }}
      />
    </ErrorBoundary>
  );
}
