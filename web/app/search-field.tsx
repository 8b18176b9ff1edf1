import { useLocation } from 'preact-iso';
import { useMemo, useRef } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { useActions } from '../keys/action.ts';
import { Icon } from '../ui/icon.tsx';
import { to } from './address.ts';

/** One field for words and questions. */
export function SearchField() {
  const { route, query } = useLocation();
  const ref = useRef<HTMLInputElement>(null);
  useActions(
    useMemo(
      () => [
        {
          id: 'search',
          group: 'everywhere' as const,
          label: () => t().shell.search,
          keys: ['/'],
          run: () => ref.current?.focus(),
        },
      ],
      [],
    ),
  );
  const submit = (event: Event) => {
    event.preventDefault();
    const words = ref.current?.value.trim() ?? '';
    route(words ? to(`/library?q=${encodeURIComponent(words)}`) : to('/library'));
  };
  return (
    <form class="find" role="search" onSubmit={submit}>
      <Icon name="search" />
      <label class="vh" for="q">
        {t().shell.search}
      </label>
      <input
        id="q"
        ref={ref}
        type="search"
        placeholder={t().shell.searchHint}
        value={query['q'] ?? ''}
        autocomplete="off"
        enterkeyhint="search"
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
