import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { IsBehind } from '../keys/action.ts';
import { InZone } from '../state/in-zone.ts';
import { useId } from './use-id.ts';

export interface ScreenProps {
  /** Of the window, except in the hidden zone; the heading unless another is given. */
  readonly title: string;
  /** Under the h1: `312 documents`. */
  readonly detail?: string;
  /** The whole head in place of the usual one: it has to contain `<ScreenHeading>`. */
  readonly head?: ComponentChildren;
  /** Buttons at the end of the head. */
  readonly end?: ComponentChildren;
  /** An `<aside class="panel">` beside the pane. */
  readonly panel?: ComponentChildren;
  /** Class names of the sheet besides `sheet`: `split`, `keep`. */
  readonly sheet?: string;
  readonly children: ComponentChildren;
}

/**
 * The id of the heading. Each screen has its own: a screen behind the hidden zone would else refer to the heading in front,
 * and the browser would hold that reference after the zone has locked.
 */
const HeadingId = createContext('');

/** The sheet of one screen. Its h1 gets the focus after the route has changed. */
export function Screen({ title, detail, head, end, panel, sheet = '', children }: ScreenProps) {
  const isBehind = useContext(IsBehind);
  const isInZone = useContext(InZone);
  const id = useId();
  useEffect(() => {
    document.title = title && !isInZone ? `${title} · ${t().shell.product}` : t().shell.product;
  }, [title, isInZone]);
  return (
    <main
      id={isBehind ? undefined : 'main'}
      class={`sheet${panel ? ' split' : ''} ${sheet}`}
      tabIndex={-1}
    >
      <section class="pane" aria-labelledby={id}>
        <HeadingId.Provider value={id}>
          {head ?? (
            <div class="head">
              <ScreenHeading>
                {title}
                {detail && <small class="num">{detail}</small>}
              </ScreenHeading>
              {end && <div class="end">{end}</div>}
            </div>
          )}
          {children}
        </HeadingId.Provider>
      </section>
      {panel}
    </main>
  );
}

let isFirst = true;

/** The one h1 of a screen. */
export function ScreenHeading({ children }: { children: ComponentChildren }) {
  const ref = useRef<HTMLHeadingElement>(null);
  const id = useContext(HeadingId);
  useEffect(() => {
    // When the app has just been opened the browser's own starting point is right.
    if (isFirst) isFirst = false;
    else ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 id={id} class="screen-title" tabIndex={-1} ref={ref}>
      {children}
    </h1>
  );
}
