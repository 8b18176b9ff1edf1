import { useEffect, useState } from 'preact/hooks';
import { useContentAddress } from '../blob-address.ts';
import type { DocumentDetail } from '../kinds.ts';
import type { Source } from './draw.ts';

export type SourceState = 'loading' | 'failed' | Source;

/** Loads and decodes the picture of a version. Of a hidden document nothing remains once it is not shown any more. */
export function useSource(shown: DocumentDetail): SourceState {
  const address = useContentAddress(shown);
  const [state, setState] = useState<SourceState>('loading');
  useEffect(() => {
    setState(address === '' ? 'failed' : 'loading');
    if (!address) return;
    const image = new Image();
    let isWanted = true;
    image.src = address;
    image.decode().then(
      () => {
        const { naturalWidth: width, naturalHeight: height } = image;
        if (isWanted) setState({ image, width, height });
      },
      () => {
        if (isWanted) setState('failed');
      },
    );
    return () => {
      isWanted = false;
      image.removeAttribute('src');
    };
  }, [address]);
  return state;
}
