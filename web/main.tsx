import { effect, untracked } from '@preact/signals';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { preloadScreen } from './app/routes.tsx';
import { browserLanguage, hasLanguage, preloadLanguage, setLanguage } from './i18n/language.ts';
import { noteDrawn } from './state/drawn.ts';
import { openSession } from './state/session.ts';
import { appRevision } from './state/zone.ts';

// Not awaited at the top level: every lazy module imports this one, and would wait for the end of it.
void start();

async function start(): Promise<void> {
  preloadScreen();
  preloadLanguage(browserLanguage());
  await openSession();
  try {
    if (!hasLanguage()) await setLanguage(browserLanguage());
    effect(() => {
      const isAgain = appRevision.value > 0;
      untracked(() => {
        if (isAgain) render(null, document.body);
        render(<App />, document.body);
      });
    });
    noteDrawn();
  } catch (error) {
    // Without a language there are no messages, so this one is not translated.
    const reload = document.createElement('button');
    reload.textContent = 'Owner Workspace could not be loaded. Reload';
    reload.onclick = () => location.reload();
    document.body.append(reload);
    throw error;
  }
}
