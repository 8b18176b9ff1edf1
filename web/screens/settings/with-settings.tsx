import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { revisionOf } from '../../data/live.ts';
import { t } from '../../i18n/language.ts';
import { readSettings, settings, type Settings } from '../../state/settings.ts';
import { Working } from '../../ui/notice.tsx';
import { Refused, useAttempt } from './attempt.tsx';

/** The settings as the service has them. They are read again when another device changes them. */
export function WithSettings({ children }: { children: (read: Settings) => ComponentChildren }) {
  const attempt = useAttempt();
  const revision = revisionOf('settings').value;
  useEffect(() => void attempt.run(readSettings), [revision]);
  if (settings.value) return <>{children(settings.value)}</>;
  if (attempt.error !== undefined) return <Refused error={attempt.error} />;
  return <Working>{t().shell.loading}</Working>;
}
