import { t } from '../../../i18n/picture.ts';
import { Failed, Working } from '../../../ui/notice.tsx';
import type { Progress } from './use-progress.ts';

/** Which step runs, and how many there are. */
export function ProgressNote({ progress, count }: { progress: Progress; count: number }) {
  const { picture: texts } = t();
  const { statuses, error, retry } = progress;
  const done = statuses.filter((each) => each.done).length;
  const running = statuses.find((each) => !each.done);
  const text = running ? texts.running[running.op] : texts.starting;
  if (error !== undefined) return <Failed error={error} retry={retry} />;
  return (
    <div class="note plain page-note picture-progress">
      <Working>{count > 1 ? texts.stepOf(text, Math.min(done + 1, count), count) : text}</Working>
      <progress max={count} {...(count > 1 && { value: done })} aria-label={texts.progress} />
    </div>
  );
}
