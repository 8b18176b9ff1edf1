import { PAGE_DRAWINGS, type PageDrawing as Drawing } from './page-drawings.tsx';

/** A drawing in place of a thumbnail. */
export const PageDrawing = ({ name }: { name: Drawing }) => (
  <svg class="thumb" viewBox="0 0 36 46" aria-hidden="true" focusable="false">
    {PAGE_DRAWINGS[name]()}
  </svg>
);
