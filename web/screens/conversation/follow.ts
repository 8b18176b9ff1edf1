import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** How far from its end the view still counts as being at it. */
const NEAR_PX = 64;

/** Scrolls with what is added as long as the end is in view. Shows the last article when the conversation is opened. */
export function useFollow(content: unknown, openedKey: string | undefined) {
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const view = ref.current;
    if (!view) return;
    const onScroll = () => {
      isAtEnd.current = view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_PX;
    };
    view.addEventListener('scroll', onScroll, { passive: true });
    return () => view.removeEventListener('scroll', onScroll);
  }, []);
  useLayoutEffect(() => {
    const view = ref.current;
    if (view && isAtEnd.current) view.scrollTop = view.scrollHeight;
  }, [content]);
  useLayoutEffect(() => {
    if (openedKey === undefined) return;
    ref.current?.querySelector('.turn:last-child')?.scrollIntoView({ block: 'start' });
  }, [openedKey]);
  /** After the owner's own question, which is to be seen. */
  const follow = () => void (isAtEnd.current = true);
  return { ref, follow };
}
