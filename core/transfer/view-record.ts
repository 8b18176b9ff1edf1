import { DOC_TYPES, OBJECT_ORDERS, OBJECT_STATUSES } from '../../ports/objects.ts';
import { OBJECT_KINDS } from '../../ports/text-extraction.ts';
import type { ListFilters, SavedView } from '../../ports/views.ts';
import { MAX_NAME_LENGTH, MAX_VIEW_POSITION } from '../library/index.ts';
import { MAX_CATEGORY_LENGTH, normalizeFilename } from '../objects/index.ts';
import {
  flag,
  id,
  instant,
  label,
  oneOf,
  optionalFields,
  record,
  sha256,
  whole,
} from './shapes.ts';

const filtersShape = optionalFields<ListFilters>({
  docType: ['doc_type', oneOf(DOC_TYPES)],
  kind: ['kind', oneOf(OBJECT_KINDS)],
  isLink: ['is_link', flag],
  collectionId: ['collection_id', id],
  uncategorized: ['uncategorized', flag],
  includeHidden: ['include_hidden', flag],
  hiddenOnly: ['hidden_only', flag],
  trashed: ['trashed', flag],
  notesOnly: ['notes_only', flag],
  status: ['status', oneOf(OBJECT_STATUSES)],
  themeId: ['theme_id', id],
  category: ['category', label(MAX_CATEGORY_LENGTH, normalizeFilename)],
  hasSuggestion: ['has_suggestion', flag],
  contentHash: ['content_hash', sha256],
  createdFrom: ['created_from', instant],
  createdTo: ['created_to', instant],
});

export const viewShape = record<SavedView>({
  id: ['id', id],
  name: ['name', label(MAX_NAME_LENGTH, normalizeFilename)],
  filters: ['filters', filtersShape],
  order: ['order', oneOf(OBJECT_ORDERS)],
  position: ['position', whole(0, MAX_VIEW_POSITION)],
  createdAt: ['created_at', instant],
  updatedAt: ['updated_at', instant],
});
