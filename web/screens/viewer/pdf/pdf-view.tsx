import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../i18n/errors.ts';
import { t } from '../../../i18n/viewer.ts';
import { Working } from '../../../ui/notice.tsx';
import { isPasswordError, openPdf, type OpenPdf } from './engine.ts';
import { Leaves } from './leaves.tsx';
import { marksByPage } from './page-marks.ts';
import { PdfPages } from './pdf-pages.tsx';
import type { PdfViewProps } from './pdf-view-props.ts';

/** A PDF by its pages, with a list of them. */
export default function PdfView(props: PdfViewProps) {
  const { document: shown, reading, marks, state } = props;
  const [opened, setOpened] = useState<OpenPdf>();
  const [ratio, setRatio] = useState(1 / Math.SQRT2);
  useEffect(() => {
    const controller = new AbortController();
    setOpened(undefined);
    openPdf(shown, controller.signal)
      .then(async (open) => {
        const page = await open.pdf.getPage(1);
        if (controller.signal.aborted) return;
        const { width, height } = page.getViewport({ scale: 1 });
        setRatio(width / height);
        state.pageCount.value = open.pdf.numPages;
        setOpened(open);
      })
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        const { needsPassword, tooDamaged } = t().viewer;
        const isDamaged = error instanceof Error && /PDF|Response/.test(error.name);
        props.onUnreadable(
          isPasswordError(error) ? needsPassword : isDamaged ? tooDamaged : messageOf(error),
        );
      });
    return () => controller.abort();
  }, [shown.id, shown.version]);
  const byPage = useMemo(
    () => (reading ? marksByPage(reading, marks) : new Map<number, never>()),
    [reading, marks],
  );
  const ref = useRef<HTMLDivElement>(null);
  if (!opened)
    return (
      <div class="desk pdf-desk">
        <div class="leaves" />
        <div class="stage" tabIndex={0} role="region" aria-label={t().viewer.pages}>
          <div class="pdf-page frame" style={{ aspectRatio: String(ratio) }} />
          <Working>{t().viewer.openingPdf}</Working>
        </div>
      </div>
    );
  return (
    <div class="desk pdf-desk" ref={ref}>
      <Leaves opened={opened} ratio={ratio} state={state} marked={byPage} />
      <PdfPages {...props} opened={opened} ratio={ratio} byPage={byPage} />
    </div>
  );
}
