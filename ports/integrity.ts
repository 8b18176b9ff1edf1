import type { SecurityEvent } from './security-events.ts';

/**
 * Inconsistencies between the rows of a workspace, by name. `…_without_…` are orphaned rows. The others are counters
 * and copies that differ from their source.
 */
export const ROW_CHECKS = [
  'versions_without_object',
  'texts_without_object',
  'corrections_without_object',
  'enrichments_without_object',
  'previews_without_object',
  'thumbnails_without_object',
  'moves_without_object',
  'image_operations_without_object',
  'notifications_without_object',
  'tasks_without_object',
  'tasks_without_reorganization',
  'reorganizations_without_task',
  'image_operations_without_task',
  'moves_without_reorganization',
  'places_without_reorganization',
  'bulk_items_without_object',
  'bulk_items_without_run',
  'bulk_counts_without_run',
  'bulk_runs_without_task',
  'tasks_without_bulk_run',
  'search_entries_without_object',
  'passages_without_entry',
  'objects_without_search_entry',
  'objects_without_version',
  'objects_without_folder',
  'folders_without_theme',
  'chats_without_folder',
  'messages_without_chat',
  'chat_objects_without_chat',
  'exceptions_without_event',
  'active_without_role',
  'shares_without_resource',
  'accesses_without_share',
  'tries_without_share',
  'bots_without_task',
  'tasks_without_bot',
  'groups_without_bot',
  'members_without_group',
  'group_counts',
  'office_sessions_without_object',
  'parts_without_upload',
  'upload_bytes',
  'event_numbers',
  'contents_refs',
  'versions_content',
  'object_counts',
  'object_lists',
  'list_counts',
  'usage_bytes',
  'notification_counts',
  'correction_flags',
  'notification_sights',
  'chat_sights',
  'search_facts',
  'search_passages',
  'search_terms',
  'search_totals',
] as const;

export type RowCheck = (typeof ROW_CHECKS)[number];

export interface Finding {
  readonly name: string;
  readonly count: number;
  /** A few examples: the owner's id, a slash, and the row's key within the owner. No names and no texts. */
  readonly examples: readonly string[];
}

/** A blob that a row refers to. */
export interface BlobReference {
  readonly blobId: string;
  /** The id of the blob in the service's storage; null if it is in the owner's bucket. */
  readonly storedAs: string | null;
  /** Expected size and hash; null if the row does not record them. */
  readonly sha256: string | null;
  readonly size: number | null;
  /** The kind of row. */
  readonly holder: string;
}

/** The position of a security event among those of all owners. */
export interface ChainPosition {
  readonly ownerId: string;
  readonly seq: number;
}

export interface OwnedSecurityEvent {
  readonly ownerId: string;
  readonly event: SecurityEvent;
}

/** Maximum number of examples per finding. */
export const MAX_EXAMPLES = 5;

/**
 * Checks the rows of all owners, and changes nothing. Each check sees one consistent state, so that changes by a
 * running service are not reported as damage.
 *
 * Contract (contract-tests/suites/integrity-checks.ts):
 * - Data written only by operations of the service has no findings, and every check runs.
 * - A row whose object, folder, theme or chat is missing is found, with the owner's id in the example.
 * - A reorganization without its task, and a task, a move or a planned folder without its run, are found.
 * - A bulk run without its task, and a task, an item or a count without its run, are found.
 * - A task without an object is not reported if its kind needs none.
 * - An image with waiting operations and no task for the first of them, and an operation without its object, are
 *   found.
 * - An exception without its event, and an event with a duplicate number or one not yet assigned, are found.
 * - An active agent role that does not exist is found.
 * - A share without its object or folder, and visitor accesses and attempts without their share, are found.
 * - A bot without its update task, a task or a group without its bot, a member without its group, and a group with a
 *   wrong member count are found.
 * - An object without its version, its search entry or its correction is found.
 * - A part without its upload, and an upload with more or fewer bytes than its parts, are found.
 * - A content with a wrong reference count is found, and so is a version without its content.
 * - A search entry in another zone than its object, and passages or terms without their object, are found.
 * - A notification whose visibility differs from its object's is found.
 * - A chat with objects of another visibility than the objects' own, or than the chat's, is found.
 * - Counters and sums that differ from a recount are found.
 * - A finding has the total count and a few examples.
 * - `blobReferences` returns every blob that a row refers to, in id order and in pages, with its location.
 * - `subjects` returns the subjects of unfinished tasks of a kind.
 * - `securityEvents` returns the events of all owners, field for field, by owner and number, in pages.
 */
export interface IntegrityChecks {
  examine(check: RowCheck): Promise<Finding>;
  /** Those after the id, at most `limit`. */
  blobReferences(after: string | null, limit: number): Promise<readonly BlobReference[]>;
  subjects(taskKind: string): Promise<readonly string[]>;
  /** Those after the position, at most `limit`. */
  securityEvents(
    after: ChainPosition | null,
    limit: number,
  ): Promise<readonly OwnedSecurityEvent[]>;
}
