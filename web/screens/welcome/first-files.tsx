import type { ComponentChildren } from 'preact';
import { to } from '../../app/address.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import { formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/language.ts';
import { welcomeText } from '../../i18n/welcome-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { PageDrawing } from '../../ui/page-drawing.tsx';
import { add, currentDestination } from '../../uploads/destination.ts';
import { chosenFiles } from '../../uploads/dropped-files.ts';
import { items as uploads, type UploadItem } from '../../uploads/items.ts';
import { typeName } from '../library/facts.ts';

/** Where files go in. It is a file input with a large label: dropping and pasting work in the whole window. */
export function DropTarget({ isLocal }: { isLocal: boolean }) {
  const text = welcomeText();
  return (
    <label class="drop">
      <input
        type="file"
        multiple
        class="vh"
        onChange={({ currentTarget }) => {
          void add(chosenFiles(currentTarget), currentDestination());
          currentTarget.value = '';
        }}
      />
      <Icon name="upload" />
      <b>{text.drop}</b>
      <span class="soft">
        {text.kinds} {isLocal && text.nothingLeaves}
      </span>
    </label>
  );
}

/** What came in, and what became of it. A file that is on its way has a row as well. */
export function CameIn({ items }: { items: readonly ObjectItem[] }) {
  const ids = new Set(items.map(({ id }) => id));
  const coming = uploads.value.filter(
    ({ isHidden, state, objectId }) =>
      !isHidden && state !== 'duplicate' && (objectId === undefined || !ids.has(objectId)),
  );
  if (items.length + coming.length === 0) return null;
  return (
    <ul class="came" aria-label={welcomeText().firstFiles}>
      {items.map((item) => (
        <Row
          key={item.id}
          picture={<Thumbnail item={item} size={64} />}
          name={
            <a class="name" href={to(`/object/${item.id}`)}>
              <bdi>{item.display_name}</bdi>
            </a>
          }
        >
          <ReadState item={item} />
        </Row>
      ))}
      {coming.map((item) => (
        <Row key={item.id} picture={<PageDrawing name="text" />} name={<bdi>{item.name}</bdi>}>
          <SendState item={item} />
        </Row>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly picture: ComponentChildren;
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}

const Row = ({ picture, name, children }: RowProps) => (
  <li>
    {picture}
    <span class="grow">
      <b class="cut">{name}</b>
      {children}
    </span>
  </li>
);

function ReadState({ item }: { item: ObjectItem }) {
  const text = welcomeText();
  switch (item.status) {
    case 'ready':
      return (
        <span class="state good">
          <Icon name="check" />
          {text.read(typeName(item))}
        </span>
      );
    case 'failed':
      return (
        <span class="state bad">
          <Icon name="alert" />
          {t().library.notRead}
        </span>
      );
    case 'processing':
      return (
        <span class="state">
          <span class="spin" aria-hidden="true" />
          {t().library.beingRead}
        </span>
      );
    case 'pending':
      return (
        <span class="state soft">
          <Icon name="clock" />
          {text.waits}
        </span>
      );
  }
}

function SendState({ item: { state, sent, size } }: { item: UploadItem }) {
  const { uploads: text } = t();
  if (state === 'failed' || state === 'needs-file')
    return (
      <span class="state bad">
        <Icon name="alert" />
        {text.failed}
      </span>
    );
  return (
    <span class="state soft">
      <Icon name="upload" />
      {state === 'done'
        ? text.isIn
        : state === 'sending'
          ? text.of(formatSize(sent), formatSize(size))
          : text.queued}
    </span>
  );
}
