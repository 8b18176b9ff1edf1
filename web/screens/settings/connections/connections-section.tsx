import { useEffect } from 'preact/hooks';
import { useResource } from '../../../data/resource.ts';
import { t } from '../../../i18n/connections.ts';
import { Failed, Working } from '../../../ui/notice.tsx';
import { BucketSetting } from './bucket-setting.tsx';
import { readConnections } from './connection.ts';
import { ModelSetting } from './model-setting.tsx';

const POLL_MS = 3_000;

/** The model and the bucket of the owner: connect, try, switch off, forget, and move files there and back. */
export default function ConnectionsSection() {
  const { shell } = t();
  const { data, error, reload } = useResource('connections', readConnections, [
    'integrations',
    'tasks',
  ]);
  const isMoving = data?.bucket.progress?.status === 'running';
  // Single files that were moved are no change that is reported.
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [isMoving, data, error, reload]);
  return (
    <>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!data && error === undefined && <Working>{shell.loading}</Working>}
      {data && <ModelSetting card={data.model} />}
      {data && <BucketSetting card={data.bucket} />}
    </>
  );
}
