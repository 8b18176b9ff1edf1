import { ErrorBoundary, useLocation } from 'preact-iso';
import { ROOT } from '../../app/address.ts';
import { t } from '../../i18n/language.ts';
import { Empty } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SectionLinks } from './section-links.tsx';
import { sectionOf } from './sections.ts';

/** One section of the settings. */
export default function SettingsScreen() {
  const path = useLocation().path.slice(ROOT.length);
  const section = sectionOf(path);
  const { shell } = t();
  if (!section)
    return (
      <Screen title={shell.notFound}>
        <Empty title={shell.notFoundHere} />
      </Screen>
    );
  const { content: Content, panel: Panel } = section;
  const title = section.label();
  return (
    <Screen key={section.id} title={title} {...(Panel && { panel: <Panel />, sheet: 'keep' })}>
      <div class="scroll" tabIndex={0} role="region" aria-label={shell.places.settings}>
        <nav class="section-links" aria-label={shell.places.settings}>
          <SectionLinks path={path} />
        </nav>
        <div class="settings">
          <ErrorBoundary>
            <Content />
          </ErrorBoundary>
        </div>
      </div>
    </Screen>
  );
}
