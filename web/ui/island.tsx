import { h, render, type ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface IslandProps<P extends object> {
  readonly of: ComponentType<P>;
  readonly props: P;
}

/**
 * A part of the page with a tree of its own, of which nothing remains when it is removed. In one tree, elements that have
 * been replaced stay reachable from others for a while, with all that they led to. Context does not reach into it.
 */
export function Island<P extends object>({ of, props }: IslandProps<P>) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = ref;
    return () => {
      if (current) render(null, current);
    };
  }, []);
  useLayoutEffect(() => {
    if (ref.current) render(h(of, props), ref.current);
  });
  return <div ref={ref} class="screens" />;
}
