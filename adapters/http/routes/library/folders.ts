import {
  MAX_DESCRIPTION_LENGTH,
  MAX_ICON_LENGTH,
  MAX_NAME_LENGTH,
  type CollectionView,
  type ThemeView,
} from '../../../../core/library/index.ts';
import { route } from '../../route.ts';
import {
  clearable,
  closed,
  dateTime,
  flag,
  int,
  named,
  nullable,
  object,
  oneOf,
  optional,
  plainName,
  text,
  themeId,
  uuid,
  withDefault,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, listReply, paging } from '../shapes.ts';

const tag = 'Library';

const Theme = named(
  'Theme',
  closed({
    id: themeId(),
    name: text(),
    created_at: dateTime(),
    folder_count: int(),
    icon: text(),
    is_hidden: flag(),
  }),
);
const themeCard = ({ theme, folderCount }: ThemeView): TypeOf<typeof Theme> => ({
  id: theme.id,
  name: theme.name,
  created_at: iso(theme.createdAt),
  folder_count: folderCount,
  icon: theme.icon,
  is_hidden: theme.isHidden,
});

const Collection = named(
  'Collection',
  closed({
    id: uuid(),
    name: text(),
    description: text(),
    icon: text(),
    theme_id: nullable(themeId()),
    object_count: int(),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
);
const collectionCard = (view: CollectionView): TypeOf<typeof Collection> => ({
  id: view.collection.id,
  name: view.collection.name,
  description: view.collection.description,
  icon: view.collection.icon,
  theme_id: view.collection.themeId,
  object_count: view.objectCount,
  created_at: iso(view.collection.createdAt),
  updated_at: iso(view.collection.updatedAt),
});

const name = plainName(MAX_NAME_LENGTH);
const icon = text({ maxLength: MAX_ICON_LENGTH });
const description = text({ maxLength: MAX_DESCRIPTION_LENGTH });
const themePath = object({ theme_id: uuid() });
const collectionPath = object({ collection_id: uuid() });

const themeEdit = (sent: { name?: string; icon?: string; is_hidden?: boolean }) => ({
  ...(sent.name !== undefined && { name: sent.name }),
  ...(sent.icon !== undefined && { icon: sent.icon }),
  ...(sent.is_hidden !== undefined && { isHidden: sent.is_hidden }),
});
const collectionEdit = (sent: {
  name?: string;
  description?: string;
  icon?: string;
  theme_id?: string | null;
}) => ({
  ...(sent.name !== undefined && { name: sent.name }),
  ...(sent.description !== undefined && { description: sent.description }),
  ...(sent.icon !== undefined && { icon: sent.icon }),
  ...(sent.theme_id !== undefined && { themeId: sent.theme_id }),
});

export const libraryRoutes = [
  route({
    method: 'get',
    path: '/v1/themes',
    tag,
    name: 'listThemes',
    summary: 'Themes with the number of folders in each',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    query: object({ ...paging, include_hidden: optional(flag()) }),
    reply: { json: listReply('ThemeList', Theme) },
    run: (core, { caller, query: q }) =>
      core.library.listThemes(caller, {
        limit: q.limit,
        offset: q.offset,
        includeHidden: q.include_hidden ?? false,
      }),
    present: ({ items, total }) => ({ items: items.map(themeCard), total }),
  }),
  route({
    method: 'post',
    path: '/v1/themes',
    tag,
    name: 'createTheme',
    summary: 'Create a theme',
    access: 'owner',
    scope: 'write',
    acceptsIdempotencyKey: true,
    body: { json: object({ name, icon: optional(icon), is_hidden: optional(flag()) }) },
    reply: { json: Theme },
    run: (core, { caller, body }) =>
      core.library.createTheme(caller, { ...themeEdit(body), name: body.name }),
    present: themeCard,
  }),
  route({
    method: 'patch',
    path: '/v1/themes/:theme_id',
    tag,
    name: 'editTheme',
    summary: 'Rename or hide a theme',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: themePath,
    body: {
      json: object({ name: optional(name), icon: optional(icon), is_hidden: optional(flag()) }),
    },
    reply: { json: Theme },
    run: (core, { caller, params, body }) =>
      core.library.editTheme(caller, params.theme_id, themeEdit(body)),
    present: themeCard,
  }),
  route({
    method: 'delete',
    path: '/v1/themes/:theme_id',
    tag,
    name: 'deleteTheme',
    summary: 'Delete a theme; its folders remain without a theme',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: themePath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.library.deleteTheme(caller, params.theme_id),
    present: deleted,
  }),
  route({
    method: 'get',
    path: '/v1/collections',
    tag,
    name: 'listCollections',
    summary: 'Folders with the number of objects in each',
    description:
      '`object_count` counts objects that are neither hidden nor in the trash, also while the zone is unlocked.',
    access: 'owner',
    scope: 'read',
    query: object({ ...paging, theme_id: optional(uuid()) }),
    reply: { json: listReply('CollectionList', Collection) },
    run: (core, { caller, query: q }) =>
      core.library.listCollections(caller, {
        limit: q.limit,
        offset: q.offset,
        ...(q.theme_id !== undefined && { themeId: q.theme_id }),
      }),
    present: ({ items, total }) => ({ items: items.map(collectionCard), total }),
  }),
  route({
    method: 'post',
    path: '/v1/collections',
    tag,
    name: 'createCollection',
    summary: 'Create a folder',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'already_exists'],
    body: {
      json: object({
        name,
        description: optional(description),
        icon: optional(icon),
        theme_id: optional(uuid()),
      }),
    },
    reply: { json: Collection },
    run: (core, { caller, body }) =>
      core.library.createCollection(caller, { ...collectionEdit(body), name: body.name }),
    present: collectionCard,
  }),
  route({
    method: 'get',
    path: '/v1/collections/:collection_id',
    tag,
    name: 'getCollection',
    summary: 'One folder',
    access: 'owner',
    scope: 'read',
    errors: ['not_found'],
    params: collectionPath,
    reply: { json: Collection },
    run: (core, { caller, params }) => core.library.getCollection(caller, params.collection_id),
    present: collectionCard,
  }),
  route({
    method: 'patch',
    path: '/v1/collections/:collection_id',
    tag,
    name: 'editCollection',
    summary: 'Change a folder; an empty `theme_id` removes it from its theme',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found', 'already_exists'],
    params: collectionPath,
    body: {
      json: object({
        name: optional(name),
        description: optional(description),
        icon: optional(icon),
        theme_id: optional(clearable(uuid())),
      }),
    },
    reply: { json: Collection },
    run: (core, { caller, params, body }) =>
      core.library.editCollection(caller, params.collection_id, collectionEdit(body)),
    present: collectionCard,
  }),
  route({
    method: 'delete',
    path: '/v1/collections/:collection_id',
    tag,
    name: 'deleteCollection',
    summary: 'Delete a folder; its objects remain without one, or move to the trash',
    description:
      'Chats of the folder remain without it. While the zone is locked, hidden objects are not moved to the trash.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: collectionPath,
    query: object({ objects: withDefault(oneOf('keep', 'trash'), 'keep') }),
    reply: { json: Deleted },
    run: (core, { caller, params, query }) =>
      core.library.deleteCollection(caller, params.collection_id, query.objects),
    present: deleted,
  }),
];
