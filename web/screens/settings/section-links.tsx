import { to } from '../../app/address.ts';
import { t } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon.tsx';
import { SECTIONS, sectionOf } from './sections.ts';

/** The sections in the rail. */
export default function SettingsRail({ path }: { path: string }) {
  return (
    <>
      <div class="below-head">
        <h2>{t().shell.places.settings}</h2>
      </div>
      <SectionLinks path={path} />
    </>
  );
}

/** The same in windows without a rail. */
export function SectionLinks({ path }: { path: string }) {
  const current = sectionOf(path)?.id;
  return (
    <ul class="tree">
      {SECTIONS.map(({ id, icon, label }) => (
        <li key={id}>
          <a
            class="leaf"
            href={to(`/settings/${id}`)}
            aria-current={id === current ? 'page' : undefined}
          >
            <Icon name={icon} />
            <span>{label()}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
