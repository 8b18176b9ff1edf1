import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ViewState } from '../view-state.ts';

/** The pages near the view, which are drawn. Also notes which page is in view. */
export function useNearPages(
  stage: RefObject<HTMLElement | null>,
  state: ViewState,
  key: string,
  isMeasured: boolean,
): ReadonlySet<number> {
  const [near, setNear] = useState<ReadonlySet<number>>(new Set([1]));
  useEffect(() => {
    const { current: element } = stage;
    if (!element || !isMeasured) return;
    const observer = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const after = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const page = Number((target as HTMLElement).dataset['page']);
            if (isIntersecting) after.add(page);
            else after.delete(page);
          }
          return after;
        }),
      { root: element, rootMargin: '75% 0px' },
    );
    for (const page of element.querySelectorAll('.pdf-page')) observer.observe(page);
    const onScroll = () => {
      const middle = element.scrollTop + element.clientHeight / 3;
      const pages = [...element.querySelectorAll<HTMLElement>('.pdf-page')];
      const at = pages.findLastIndex(({ offsetTop }) => offsetTop <= middle);
      state.page.value = Math.max(1, at + 1);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [key, isMeasured]);
  return near;
}
