import type { Box } from './places.ts';

/** Marks over a picture, where words that were read on it are. */
export const Boxes = ({ boxes }: { boxes: readonly Box[] }) => (
  <>
    {boxes.map(([x, y, w, h], index) => (
      <span
        key={index}
        class="word-box"
        tabIndex={index === 0 ? -1 : undefined}
        style={{
          left: `${x * 100}%`,
          top: `${y * 100}%`,
          width: `${w * 100}%`,
          height: `${h * 100}%`,
        }}
      />
    ))}
  </>
);
