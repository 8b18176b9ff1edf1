import { ROOT } from './address.ts';

const loaded = new Map<string, Promise<void>>();

/** Loads the styles of a screen, once. A screen whose styles are missing is shown without them. */
export function loadStyle(name: StyleName): Promise<void> {
  const path = STYLE_PATHS[name];
  let loading = loaded.get(path);
  if (!loading) {
    loading = new Promise((resolve) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = `${ROOT}${path}`;
      link.onload = () => resolve();
      link.onerror = () => {
        loaded.delete(path);
        link.remove();
        resolve();
      };
      document.head.append(link);
    });
    loaded.set(path, loading);
  }
  return loading;
}

/** Loads a screen, or a part of one, together with its styles. */
export async function withStyles<T>(
  loading: Promise<T>,
  ...styles: readonly StyleName[]
): Promise<T> {
  const [screen] = await Promise.all([loading, ...styles.map(loadStyle)]);
  return screen;
}
