import type { ComponentChildren } from 'preact';
import { t } from '../../i18n/language.ts';
import { firstDayOf, lastDayOf } from '../../data/days.ts';
import { folders } from '../../data/folders.ts';
import {
  ORDERS,
  withFilters,
  type Listing,
  type ObjectFilters,
} from '../../data/object-filters.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { MoreFilters } from './more-filters.tsx';
import { ViewsMenu } from './views-menu.tsx';

export interface FilterProps {
  readonly listing: Listing;
  readonly setListing: (listing: Listing) => void;
  /** The address is that of a folder or theme, in which every document is in a folder. */
  readonly hasPlace: boolean;
  /** Results of a search stand in the order of their fit, and are no view. */
  readonly isSearch?: boolean;
}

type Changes = Parameters<typeof withFilters>[1];

/** Conditions of the list, each of which can be taken off, and its order. */
export function FilterRow({ listing, setListing, hasPlace, isSearch = false }: FilterProps) {
  const { library } = t();
  const { filters, order } = listing;
  const set = (changes: Changes) =>
    setListing({ ...listing, filters: withFilters(filters, changes) });
  const folder = folders.value.find(({ id }) => id === filters.collection_id);
  return (
    <div class="filters" role="group" aria-label={library.filters} tabIndex={0}>
      <ChoiceFilter
        any={library.anyKind}
        names={library.kinds}
        value={filters.kind}
        onChange={(kind) => set({ kind })}
      />
      <ChoiceFilter
        any={library.anyType}
        names={library.docTypes}
        value={filters.doc_type}
        onChange={(type) => set({ doc_type: type })}
      />
      <ChoiceFilter
        any={library.anyFolder}
        names={Object.fromEntries(folders.value.map(({ id, name }) => [id, name]))}
        value={folder?.id}
        onChange={(id) => set({ collection_id: id, theme_id: undefined, uncategorized: undefined })}
      />
      <span class="gap" />
      <ActiveFilters filters={filters} set={set} />
      <Toggle
        isOn={filters.is_link === true}
        onChange={(isOn) => set({ is_link: isOn || undefined })}
      >
        {library.links}
      </Toggle>
      <Toggle
        isOn={filters.notes_only === true}
        onChange={(isOn) => set({ notes_only: isOn || undefined })}
      >
        {library.notes}
      </Toggle>
      {!hasPlace && (
        <Toggle
          isOn={filters.uncategorized === true}
          onChange={(isOn) => set({ uncategorized: isOn || undefined, collection_id: undefined })}
        >
          {library.inNoFolder}
        </Toggle>
      )}
      <MoreFilters filters={filters} set={set} />
      {!isSearch && (
        <ChoiceFilter
          any={library.orders.newest}
          names={Object.fromEntries(ORDERS.slice(1).map((each) => [each, library.orders[each]]))}
          value={order === 'newest' ? undefined : order}
          onChange={(chosen) =>
            setListing({ ...listing, order: ORDERS.find((each) => each === chosen) ?? 'newest' })
          }
        />
      )}
      {!isSearch && <ViewsMenu listing={listing} setListing={setListing} />}
    </div>
  );
}

/** One of several values, or any. */
export function ChoiceFilter({
  any,
  names,
  value,
  onChange,
}: {
  any: string;
  names: Readonly<Record<string, string>>;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const label = Object.entries(names).find(([id]) => id === value)?.[1] ?? any;
  const button = (
    <>
      <bdi>{label}</bdi>
      <Icon name="down" />
    </>
  );
  const choice = (id: string | undefined, name: string) => (
    <button key={id ?? ''} type="button" aria-pressed={value === id} onClick={() => onChange(id)}>
      <bdi>{name}</bdi>
    </button>
  );
  return (
    <Menu class={`pick${value === undefined ? '' : ' on'}`} button={button}>
      <div class="choices">
        {choice(undefined, any)}
        {Object.entries(names)
          .toSorted(([, a], [, b]) => a.localeCompare(b))
          .map(([id, name]) => choice(id, name))}
      </div>
    </Menu>
  );
}

const Toggle = ({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ComponentChildren;
}) => (
  <button type="button" class="pick flat" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
    {children}
  </button>
);

/** Filters that have no control of their own in the row, to be taken off. */
function ActiveFilters({ filters, set }: { filters: ObjectFilters; set: (c: Changes) => void }) {
  const { library } = t();
  const active: [string, Changes][] = [];
  if (filters.is_link === false) active.push([library.withoutLinks, { is_link: undefined }]);
  if (filters.status) active.push([library.statuses[filters.status], { status: undefined }]);
  if (filters.has_suggestion) active.push([library.withSuggestion, { has_suggestion: undefined }]);
  if (filters.category) active.push([filters.category, { category: undefined }]);
  const [from, to] = [firstDayOf(filters.created_from), lastDayOf(filters.created_to)];
  if (from ?? to)
    active.push([library.between(from, to), { created_from: undefined, created_to: undefined }]);
  return (
    <>
      {active.map(([label, off]) => (
        <button
          key={label}
          type="button"
          class="pick on"
          aria-label={library.takeOff(label)}
          onClick={() => set(off)}
        >
          <bdi>{label}</bdi>
          <Icon name="x" />
        </button>
      ))}
    </>
  );
}
