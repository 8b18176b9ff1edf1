import {
  MAX_NAME_LENGTH,
  MAX_VIEW_POSITION,
  MAX_VIEWS,
  type ViewEdit,
} from '../../../../core/library/index.ts';
import type { ObjectOrder } from '../../../../ports/objects.ts';
import type { SavedView } from '../../../../ports/views.ts';
import { route } from '../../route.ts';
import {
  closed,
  int,
  label,
  named,
  object,
  optional,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, listReply } from '../shapes.ts';
import { ListFilters, listFilters, listingOf, ObjectFilters, objectOrder } from './filters.ts';
import type { SentFilters } from './filters.ts';

const tag = 'Library';

const View = named(
  'SavedView',
  closed({
    id: uuid(),
    name: text(),
    filters: ListFilters,
    order: objectOrder,
    position: int({ description: 'Views are listed by ascending position.' }),
  }),
);

const shown = (view: SavedView): TypeOf<typeof View> => ({
  id: view.id,
  name: view.name,
  filters: listFilters(view.filters),
  order: view.order,
  position: view.position,
});

const viewPath = object({ view_id: uuid() });
const name = label(MAX_NAME_LENGTH);
const further = {
  filters: optional(ObjectFilters),
  order: optional(objectOrder),
  position: optional(int({ minimum: 0, maximum: MAX_VIEW_POSITION })),
};

const edited = (sent: {
  name?: string;
  filters?: SentFilters;
  order?: ObjectOrder;
  position?: number;
}): ViewEdit => ({
  ...(sent.name !== undefined && { name: sent.name }),
  ...(sent.filters !== undefined && { filters: listingOf(sent.filters) }),
  ...(sent.order !== undefined && { order: sent.order }),
  ...(sent.position !== undefined && { position: sent.position }),
});

export const viewRoutes = [
  route({
    method: 'get',
    path: '/v1/views',
    tag,
    name: 'listViews',
    summary: 'Saved views of the list of objects, by position',
    description:
      'A view whose folder or theme was deleted stays, and lists nothing. Views are the same whether the hidden zone is locked or not.',
    access: 'owner',
    scope: 'read',
    reply: { json: listReply('SavedViewList', View) },
    run: (core, { caller }) => core.library.listViews(caller),
    present: (views) => ({ items: views.map(shown), total: views.length }),
  }),
  route({
    method: 'post',
    path: '/v1/views',
    tag,
    name: 'createView',
    summary: 'Save filters and an order of the list of objects under a name',
    description: `\`filters\` are those of \`GET /v1/objects\`; any other field is an error. Without \`position\` the view follows all others. At most ${MAX_VIEWS} views per owner.`,
    access: 'owner',
    scope: 'write',
    acceptsIdempotencyKey: true,
    errors: ['too_many_views', 'unknown_kind', 'unknown_doc_type'],
    body: { json: object({ name, ...further }) },
    reply: { json: View },
    run: (core, { caller, body }) =>
      core.library.createView(caller, { ...edited(body), name: body.name }),
    present: shown,
  }),
  route({
    method: 'patch',
    path: '/v1/views/:view_id',
    tag,
    name: 'editView',
    summary: 'Change a saved view',
    description: '`filters` replaces all filters of the view.',
    access: 'owner',
    scope: 'write',
    errors: ['not_found', 'unknown_kind', 'unknown_doc_type'],
    params: viewPath,
    body: { json: object({ name: optional(name), ...further }) },
    reply: { json: View },
    run: (core, { caller, params, body }) =>
      core.library.editView(caller, params.view_id, edited(body)),
    present: shown,
  }),
  route({
    method: 'delete',
    path: '/v1/views/:view_id',
    tag,
    name: 'deleteView',
    summary: 'Delete a saved view',
    access: 'owner',
    scope: 'write',
    errors: ['not_found'],
    params: viewPath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.library.deleteView(caller, params.view_id),
    present: deleted,
  }),
];
