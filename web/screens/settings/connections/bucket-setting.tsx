import { useRef } from 'preact/hooks';
import { hostOf } from '../../../data/own-network.ts';
import { t } from '../../../i18n/connections.ts';
import { useAttempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';
import { BucketForm } from './bucket-form.tsx';
import { switchTo } from './connection-buttons.tsx';
import { bucketHost, check, type Connections } from './connection.ts';
import { MigrationPart } from './migration.tsx';
import { Outcome } from './outcome.tsx';
import { Problem } from './refusals.tsx';

/** A bucket of the owner for new files, and for earlier ones that are moved there. */
export function BucketSetting({ card }: { card: Connections['bucket'] }) {
  const { connections: text } = t();
  const attempt = useAttempt();
  const saving = useAttempt();
  const { of, progress } = card;
  const isTrying = attempt.isBusy || saving.isBusy;
  // Once it is open it stays so: the focus may be in it.
  const isOpen = useRef(false);
  isOpen.current ||= card.status !== 'ok' || saving.error !== undefined;
  const switchOn = async () => {
    await switchTo('s3', true);
    // Switching on checks nothing by itself.
    await check('s3');
  };
  const hint = of && (
    <>
      {card.enabled ? text.newFilesBefore : text.filesBefore}{' '}
      <b>
        <bdi>{of.bucket}</bdi>
      </b>
      {text.newFilesAfter(bucketHost(of))}
    </>
  );
  return (
    <Setting title={text.kinds.s3} hint={hint ?? text.bucketHint}>
      <Outcome
        card={card}
        host={hostOf(of?.endpoint ?? '')}
        works={<b>{text.bucketWorks}</b>}
        isTrying={isTrying}
        onTry={() => void attempt.run(() => check('s3'))}
      />
      <Problem error={attempt.error ?? saving.error} />
      {of && progress && <MigrationPart of={progress} isEnabled={card.enabled} />}
      <details class="fold" open={isOpen.current}>
        <summary>{text.bucketSettings}</summary>
        <BucketForm card={card} attempt={saving} onSwitchOn={() => void attempt.run(switchOn)} />
      </details>
    </Setting>
  );
}
