/**
 * What must never be found among the rows of a workspace, by name. `…_without_…` are rows left behind by what they
 * speak of; the others are numbers and copies that have drifted from what they count or repeat.
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
  'search_entries_without_object',
  'passages_without_entry',
  'objects_without_search_entry',
  'objects_without_version',
  'objects_without_folder',
  'folders_without_theme',
  'chats_without_folder',
  'messages_without_chat',
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
  'event_numbers',
  'contents_refs',
  'versions_content',
  'object_counts',
  'list_counts',
  'usage_bytes',
  'notification_counts',
  'correction_flags',
  'notification_sights',
  'search_facts',
  'search_passages',
  'search_terms',
  'search_totals',
] as const;

export type RowCheck = (typeof ROW_CHECKS)[number];

export interface Finding {
  readonly name: string;
  readonly count: number;
  /** A few of them: the owner's id, a slash, and what tells the row among the owner's. No names and no texts. */
  readonly examples: readonly string[];
}

/** Bytes that a row refers to. */
export interface Holding {
  readonly blobId: string;
  /** The id that the bytes have with the service; null where they lie in a bucket of their owner's. */
  readonly storedAs: string | null;
  /** What the bytes must be; null where the row does not say. */
  readonly sha256: string | null;
  readonly size: number | null;
  /** The kind of row. */
  readonly holder: string;
}

/** How many examples a finding has at most. */
export const MOST_EXAMPLES = 5;

/**
 * Looks over the rows of all owners, and changes nothing. Beside a running service each look sees one state, so that a
 * change under way is not taken for damage.
 *
 * Contract (contract-tests/suites/inspection.ts):
 * - Of data that only the operations of the service have written nothing is found, and every check answers.
 * - A row whose object, folder, theme or chat is not there is found, with the owner's id in the example.
 * - A run that puts objects into folders without its task, and a task, a move or a place without its run, are found.
 * - A task that works on no object is none that lacks one.
 * - A picture with operations that wait and no task for the first of them, and an operation on no object, are found.
 * - An exception of no event, and an event whose number is another's or still to be given, are found.
 * - An active role of the agent that is no role is found.
 * - A share of no object or folder, and what visitors hold or have tried of no share, are found.
 * - A bot without the task that brings its updates, a task or a group of no bot, a member of no group, and a group that counts other members than it has, are found.
 * - An object without its version, its search entry or its correction is found.
 * - A content that is referred to more or less often than it counts is found, and so is a version without its content.
 * - A search entry that stands elsewhere than its object, and passages or terms that nothing knows of, are found.
 * - A notification that is hidden or shown otherwise than its object is found.
 * - Counters and sums that differ from a recount are found where such are kept.
 * - A finding counts all and gives a few examples.
 * - `holdings` gives every blob that a row refers to, in the order of the ids and in pages, and where it lies.
 * - `subjects` gives what tasks of a kind that are not over work on.
 */
export interface Inspection {
  examine(check: RowCheck): Promise<Finding>;
  /** Those after the id, at most `limit`. */
  holdings(after: string | null, limit: number): Promise<readonly Holding[]>;
  subjects(taskKind: string): Promise<readonly string[]>;
}
