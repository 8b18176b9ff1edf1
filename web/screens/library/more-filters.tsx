import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { ObjectFilters, withFilters } from '../../data/object-filters.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';

type Changes = Parameters<typeof withFilters>[1];

/** Midnight of a day at the place of the device, as the interface takes it. */
const startOf = (day: string, plusDays = 0): string | undefined => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return day ? new Date(year, month - 1, date + plusDays).toISOString() : undefined;
};

/** The day of a field for dates that means this moment. */
const dayOf = (at: string | undefined, plusDays = 0): string => {
  if (at === undefined) return '';
  const date = new Date(at);
  const pad = (value: number) => String(value).padStart(2, '0');
  date.setDate(date.getDate() + plusDays);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
};

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
      created_from: startOf(text('from')),
      created_to: startOf(text('to'), 1),
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
            value={dayOf(filters.created_from)}
          />
        </Field>
        <Field id="filter-to" label={library.addedTo}>
          <input
            id="filter-to"
            name="to"
            class="input"
            type="date"
            value={dayOf(filters.created_to, -1)}
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
