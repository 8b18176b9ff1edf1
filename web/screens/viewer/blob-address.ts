import { useEffect, useState } from 'preact/hooks';
import { contentAddress, readContent } from './content.ts';
import { needsBlob, type DocumentDetail } from './kinds.ts';

/**
 * An address at which an element loads the content. A hidden document has none of its own: its bytes are read with the
 * unlock token into the memory of the tab. So are those of a file that the service sends as a download.
 */
export function useContentAddress(shown: DocumentDetail): string | undefined {
  const [blob, setBlob] = useState<string>();
  const { id, version, mime } = shown;
  const isBlob = needsBlob(shown);
  useEffect(() => {
    if (!isBlob) return;
    const controller = new AbortController();
    let address: string | undefined;
    readContent(shown, controller.signal).then(
      (bytes) => {
        if (controller.signal.aborted) return;
        address = URL.createObjectURL(new Blob([bytes], { type: mime }));
        setBlob(address);
      },
      () => setBlob(''),
    );
    return () => {
      controller.abort();
      if (address) URL.revokeObjectURL(address);
      setBlob(undefined);
    };
  }, [id, version, isBlob, mime]);
  return isBlob ? blob : contentAddress(shown);
}
