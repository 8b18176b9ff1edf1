import { ICON_PATHS, type IconName } from './icon-paths.ts';

export type { IconName } from './icon-paths.ts';

/** Decoration: the control around it has a name of its own. `flip`: mirrored where text runs from right to left. */
export const Icon = ({
  name,
  small,
  flip,
}: {
  name: IconName;
  small?: boolean;
  flip?: boolean;
}) => (
  <svg
    class={`i${small ? ' s' : ''}${flip ? ' flip' : ''}`}
    viewBox="0 0 20 20"
    aria-hidden="true"
    focusable="false"
  >
    <path d={ICON_PATHS[name]} />
  </svg>
);
