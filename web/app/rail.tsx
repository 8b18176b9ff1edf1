import { useLocation } from 'preact-iso';
import { libraryCounts } from '../data/library-counts.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/language.ts';
import { Icon } from '../ui/icon.tsx';
import { ROOT, to } from './address.ts';
import { FOOT_PLACES, RAIL_PLACES, type Place } from './navigation.ts';
import { RailBelow } from './rail-below.tsx';

/** The navigation of wide windows: the places, and beneath them what belongs to the screen. */
export function Rail() {
  const path = useLocation().path.slice(ROOT.length) || '/';
  const tabs = (isFoot: boolean) =>
    RAIL_PLACES.filter(({ id }) => FOOT_PLACES.includes(id) === isFoot).map((place) => (
      <li key={place.id}>
        <Tab place={place} isCurrent={place.covers.test(path)} />
      </li>
    ));
  return (
    <nav class="rail" aria-label={t().shell.workspace}>
      <ul class="tabs">{tabs(false)}</ul>
      <RailBelow path={path} />
      <ul class="tabs last">{tabs(true)}</ul>
    </nav>
  );
}

const Tab = ({ place, isCurrent }: { place: Place; isCurrent: boolean }) => (
  <a class="tab" href={to(place.path)} aria-current={isCurrent ? 'page' : undefined}>
    <Icon name={place.icon} />
    <span>{t().shell.places[place.id]}</span>
    {place.id === 'library' && libraryCounts.value && (
      <span class="n">{formatNumber(libraryCounts.value.all)}</span>
    )}
  </a>
);
