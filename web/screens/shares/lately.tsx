import { to } from '../../app/address.ts';
import { api } from '../../api/client.ts';
import { ApiError, reply } from '../../api/errors.ts';
import { useResource } from '../../data/resource.ts';
import { formatDay } from '../../i18n/format.ts';
import { t } from '../../i18n/shares.ts';
import { Failed } from '../../ui/notice.tsx';
import { nameOf, type ShareLink } from './share-data.ts';

/** Of the owner's notifications, which are read for these. */
const MAX_READ = 100;
const MAX_SHOWN = 6;

interface Visit {
  readonly id: string;
  readonly at: string;
  readonly share: string;
  /** The file that came in. Undefined: the link was opened for the first time. */
  readonly file?: { readonly id: string; readonly name: string | undefined };
}

/** What visitors have done with the links: first visits, and files that came in. */
export function Lately({ items }: { items: readonly ShareLink[] }) {
  const { shares } = t();
  const { data, error, reload } = useResource('lately', readVisits, ['notifications']);
  if (error !== undefined) return <Failed error={error} retry={reload} />;
  if (!data || data.length === 0) return null;
  const names = new Map(items.map((share) => [share.id, nameOf(share)]));
  return (
    <section class="lately" aria-labelledby="lately">
      <h2 id="lately">{shares.lately}</h2>
      <ul>
        {data.map(({ id, at, share, file }) => {
          const link = names.get(share) ?? shares.endedLink;
          return (
            <li key={id}>
              <time class="soft" dateTime={at}>
                {formatDay(at)}
              </time>
              <VisitText link={link} file={file} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** `X came in by Y`: the file is a link, wherever the sentence of the language has it. */
function VisitText({ link, file }: { link: string; file: Visit['file'] }) {
  const { visitsOf } = t().shares;
  const sentence = !file
    ? visitsOf.opened
    : file.name === undefined
      ? visitsOf.unnamed
      : visitsOf.file;
  return (
    <span>
      {sentence.split(/(\{file\}|\{link\})/).map((part) =>
        part === '{link}' ? (
          <b key={part}>
            <bdi>{link}</bdi>
          </b>
        ) : part === '{file}' && file ? (
          <a key={part} class="act" href={to(`/object/${file.id}`)}>
            <bdi>{file.name}</bdi>
          </a>
        ) : (
          part
        ),
      )}
    </span>
  );
}

async function readVisits(signal: AbortSignal): Promise<readonly Visit[]> {
  const query = { limit: MAX_READ };
  const { items } = await reply(api.GET('/v1/notifications', { params: { query }, signal }));
  const visits = items
    .filter(({ kind }) => kind === 'share.opened' || kind === 'share.uploaded')
    .slice(0, MAX_SHOWN);
  return Promise.all(
    visits.map(async ({ id, kind, created_at: at, payload }): Promise<Visit> => {
      const share = String(payload['share_id']);
      if (kind === 'share.opened') return { id, at, share };
      const file = String(payload['object_id']);
      return { id, at, share, file: { id: file, name: await nameOfDocument(file, signal) } };
    }),
  );
}

/** Undefined if the document is gone. */
async function nameOfDocument(id: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const params = { path: { object_id: id } };
    return (await reply(api.GET('/v1/objects/{object_id}', { params, signal }))).display_name;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
