import { ErrorBoundary, lazy } from 'preact-iso';
import type { ComponentType, VNode } from 'preact';
import { t } from '../i18n/language.ts';
import { Empty } from './notice.tsx';
import { Screen } from './screen.tsx';

type Load<P> = () => Promise<{ readonly default: ComponentType<P> }>;

export interface Lazily<P> {
  (props: P): VNode;
  /** Loads it ahead. A failure is not reported before the component is needed: it is then, with a reload offered. */
  readonly preload: () => void;
}

/**
 * A component that is loaded when it is first shown. Where it can not be loaded, a reload is offered: the browser may
 * remember that a module failed, and a newer version of the app has other files.
 */
export function lazily<P extends object>(load: Load<P>): Lazily<P> {
  const Content = orElse(load, NotLoaded);
  // What is around it does not wait for it.
  const shown = (props: P) => (
    <ErrorBoundary>
      <Content {...props} />
    </ErrorBoundary>
  );
  return Object.assign(shown, { preload: Content.preload });
}

/** The same for a whole screen. */
export const lazyScreen = <P extends object>(load: Load<P>): Lazily<P> =>
  orElse(load, ScreenNotLoaded);

function orElse<P extends object>(load: Load<P>, fallback: ComponentType): Lazily<P> {
  const failed = { default: fallback as ComponentType<P> };
  const component = lazy(() => load().catch(() => failed));
  return Object.assign(component as unknown as (props: P) => VNode, {
    preload: () => void load().catch(() => undefined),
  });
}

const Reload = () => (
  <button type="button" class="button" onClick={() => location.reload()}>
    {t().uploads.reload}
  </button>
);

const ScreenNotLoaded = () => (
  <Screen title={t().errors.notLoadedTitle}>
    <div role="alert">
      <Empty title={t().errors.notLoaded}>
        <Reload />
      </Empty>
    </div>
  </Screen>
);

/** It may stand for anything between a dialog and a bar, so it has a place of its own. */
const NotLoaded = () => (
  <div class="toasts" role="alert">
    <div class="toast">
      <span class="grow">{t().errors.notLoaded}</span>
      <Reload />
    </div>
  </div>
);
