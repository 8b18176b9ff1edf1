import type { IconName } from '../ui/icon.tsx';

/** Something that the palette offers. */
export interface Choice {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** Beside it: the folder of a document. */
  readonly detail?: string;
  readonly keys?: readonly string[];
  readonly run: () => void;
}

export type Go = (address: string) => void;
