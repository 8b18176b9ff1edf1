import { to } from '../../app/address.ts';
import { folderOf } from '../../data/folders.ts';
import { formatDay } from '../../i18n/format.ts';
import { t } from '../../i18n/shares.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { isConcealed, isShown, nameOf, type ShareLink } from './share-data.ts';
import { endOf, endsSoon, stateOf } from './share-states.ts';

export interface ShareTableProps {
  readonly items: readonly ShareLink[];
  /** Of the link that the panel shows. */
  readonly shown: string | undefined;
  /** Shows a link that no address may name. */
  readonly onShow: (share: ShareLink) => void;
  readonly onEnd: (share: ShareLink) => void;
}

/** Every link in one table. */
export function ShareTable({ items, ...rest }: ShareTableProps) {
  const { shares } = t();
  return (
    <table class="table shares-table">
      <thead>
        <tr>
          <th scope="col">{shares.link}</th>
          <th scope="col">{shares.may}</th>
          <th scope="col">{shares.state}</th>
          <th scope="col">{shares.until}</th>
          <th scope="col">{shares.came}</th>
          <th scope="col">
            <span class="vh">{shares.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((share) => (
          <ShareRow key={share.id} share={share} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Omit<ShareTableProps, 'items'> & { readonly share: ShareLink };

function ShareRow({ share, shown, onShow, onEnd }: RowProps) {
  const { shares } = t();
  const { word, why, tone } = stateOf(share);
  const name = nameOf(share);
  const isCurrent = share.id === shown;
  return (
    <tr class={`${isShown(share) ? '' : 'off'}${isCurrent ? ' here' : ''}`} data-share={share.id}>
      <td>
        <ShareName share={share} isCurrent={isCurrent} onShow={onShow} />
        <br />
        <span class="soft share-of">
          <ResourceName share={share} /> · <span class="mono">{share.prefix}…</span> ·{' '}
          <span class="num">{shares.madeAt(formatDay(share.created_at))}</span>
        </span>
      </td>
      <td>{share.role === 'contributor' ? shares.mayLookAndAdd : shares.mayLook}</td>
      <td>
        <span class={`state ${tone}`}>{word}</span>
        {why && (
          <>
            <br /> <span class="soft share-why">{why}</span>
          </>
        )}
      </td>
      <td class="num">
        {share.expires_at === null ? (
          <span class="soft">{shares.neverEnds}</span>
        ) : (
          <>
            <span class="small-only">{shares.untilDay} </span>
            <time dateTime={share.expires_at}>{endOf(share)}</time>
          </>
        )}
        {endsSoon(share) && (
          <>
            <br /> <span class="state wait">{shares.endsSoon}</span>
          </>
        )}
        {share.state === 'expired' && (
          <>
            <br />{' '}
            <a
              class="act"
              href={to(`/shares/${share.id}`)}
              aria-label={`${shares.anotherEnd}: ${name}`}
            >
              {shares.anotherEnd}
            </a>
          </>
        )}
      </td>
      <td class="num">
        {shares.visits(share.access_count)}
        {share.upload_count > 0 && (
          <>
            <br /> <span class="soft">{shares.filesCameIn(share.upload_count)}</span>
          </>
        )}
      </td>
      <td>
        <RowMenu share={share} onShow={onShow} onEnd={onEnd} />
      </td>
    </tr>
  );
}

interface NameProps {
  readonly share: ShareLink;
  readonly isCurrent: boolean;
  readonly onShow: (share: ShareLink) => void;
}

function ShareName({ share, isCurrent, onShow }: NameProps) {
  const content = <bdi>{nameOf(share)}</bdi>;
  if (isConcealed(share))
    return (
      <button type="button" class="name share-name" onClick={() => onShow(share)}>
        {content}
      </button>
    );
  return (
    <a
      class="name share-name"
      href={to(`/shares/${share.id}`)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {content}
    </a>
  );
}

/** Its folder with the number of documents, or its document. A link without a name has that of it already. */
function ResourceName({ share }: { share: ShareLink }) {
  const { kind, name, resource_id: id, resource_name: resource } = share;
  const { library, shares } = t();
  const folder = kind === 'folder' ? folderOf(id) : undefined;
  return (
    <>
      {name ? <bdi>{resource}</bdi> : shares.kinds[kind]}
      {folder && `, ${library.documents(folder.object_count)}`}
    </>
  );
}

function RowMenu({ share, onShow, onEnd }: Omit<NameProps, 'isCurrent'> & Pick<RowProps, 'onEnd'>) {
  const { shares } = t();
  return (
    <Menu
      class="tool small"
      label={shares.moreFor(nameOf(share))}
      button={<Icon name="more" small />}
    >
      {isConcealed(share) ? (
        <button type="button" onClick={() => onShow(share)}>
          <Icon name="edit" />
          {shares.change}
        </button>
      ) : (
        <a href={to(`/shares/${share.id}`)}>
          <Icon name="edit" />
          {share.state === 'expired' ? shares.anotherEnd : shares.change}
        </a>
      )}
      <button type="button" onClick={() => onEnd(share)}>
        <Icon name="x" />
        {shares.end}
      </button>
    </Menu>
  );
}
