import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { firstDayOf, lastDayOf, startOfDay } from '../../data/days.ts';
import type { ObjectFilters, withFilters } from '../../data/object-filters.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';

type Changes = Parameters<typeof withFilters>[1];

/** Filters that are needed less often: state, suggestion, label, days. */
export function MoreFilters({
  filters,
  set,
}: {
  filters: ObjectFilters;
  set: (changes: Changes) => void;
}) {
  const { library } = t();
  const form = useRef<HTMLFormElement>(null);
  const button = (
    <>
      {library.moreFilters}
      <Icon name="down" />
    </>
  );
  const submit = (event: Event) => {
    event.preventDefault();
    if (!form.current) return;
    const data = new FormData(form.current);
    const text = (name: string): string => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const status = (['ready', 'pending', 'processing', 'failed'] as const).find(
      (each) => each === text('status'),
    );
    set({
      status,
      category: text('category') || undefined,
      has_suggestion: data.has('suggestion') || undefined,
      is_link: data.has('no-links') ? false : filters.is_link === true || undefined,
      created_from: startOfDay(text('from')),
      created_to: startOfDay(text('to'), 1),
    });
  };
  return (
    <Menu class="pick" button={button}>
      <form ref={form} class="filter-form" onSubmit={submit}>
        <Field id="filter-status" label={library.state}>
          <select id="filter-status" name="status" class="input">
            <option value="">{library.anyState}</option>
            {Object.entries(library.statuses).map(([id, name]) => (
              <option key={id} value={id} selected={filters.status === id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field id="filter-category" label={library.labelField}>
          <input
            id="filter-category"
            name="category"
            class="input"
            maxLength={50}
            autocomplete="off"
            value={filters.category ?? ''}
          />
        </Field>
        <Field id="filter-from" label={library.addedFrom}>
          <input
            id="filter-from"
            name="from"
            class="input"
            type="date"
            value={firstDayOf(filters.created_from) ?? ''}
          />
        </Field>
        <Field id="filter-to" label={library.addedTo}>
          <input
            id="filter-to"
            name="to"
            class="input"
            type="date"
            value={lastDayOf(filters.created_to) ?? ''}
          />
        </Field>
        <label class="check">
          <input type="checkbox" name="suggestion" checked={filters.has_suggestion === true} />
          {library.withSuggestion}
        </label>
        <label class="check">
          <input type="checkbox" name="no-links" checked={filters.is_link === false} />
          {library.withoutLinks}
        </label>
        <button type="submit" class="button strong">
          {library.apply}
        </button>
      </form>
    </Menu>
  );
}

const Field = ({
  id,
  label,
  children,
}: {
  id: string;
  label: string;
  children: ComponentChildren;
}) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
  </div>
);
