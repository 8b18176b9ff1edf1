CREATE TABLE schema_versions (version integer not null primary key, name text not null);
CREATE TABLE tenants (
  id text not null primary key,
  name text not null unique,
  created_at integer not null
  ) strict, without rowid;
CREATE TABLE owners (
  id text not null primary key,
  tenant_id text not null references tenants (id),
  name text not null,
  role text not null,
  created_at integer not null
  ) strict, without rowid;
CREATE INDEX owners_by_time on owners (created_at, id);
CREATE TABLE tokens (
  owner_id text not null,
  id text not null,
  name text not null,
  prefix text not null unique,
  digest text not null,
  access text not null,
  created_at integer not null,
  expires_at integer, scopes text, folder_ids text, last_used_at integer, last_used_network text,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE INDEX tokens_by_time on tokens (owner_id, created_at, id);
CREATE TABLE settings (
  owner_id text not null primary key,
  auto_rename_mode text not null,
  calendar_reminders_messenger integer not null,
  chat_memory integer not null,
  proactive integer not null,
  timezone text not null,
  ui text not null,
  prefs text not null
  ) strict;
CREATE TABLE pin_locks (
  owner_id text not null primary key,
  pin_hash text not null,
  failures integer not null,
  locked_until integer
  ) strict, without rowid;
CREATE TABLE unlock_tokens (
  owner_id text not null,
  digest text not null,
  expires_at integer not null,
  primary key (owner_id, digest)
  ) strict, without rowid;
CREATE TABLE idempotency_records (
  owner_id text not null,
  record_key text not null,
  fingerprint text not null,
  response text,
  expires_at integer not null,
  primary key (owner_id, record_key)
  ) strict;
CREATE INDEX idempotency_records_by_owner on idempotency_records (owner_id, expires_at);
CREATE INDEX idempotency_records_by_expiry on idempotency_records (expires_at, owner_id);
CREATE TABLE list_counts (
  owner_id text not null,
  list text not null,
  part text not null,
  n integer not null,
  primary key (owner_id, list, part)
  ) strict, without rowid;
CREATE TABLE owner_usage (
  owner_id text not null primary key,
  bytes integer not null
  ) strict, without rowid;
CREATE TABLE monthly_usage (
  owner_id text not null,
  month integer not null,
  metric text not null,
  n integer not null,
  primary key (owner_id, month, metric)
  ) strict, without rowid;
CREATE TABLE referral_codes (
  owner_id text not null primary key,
  code text not null
  ) strict, without rowid;
CREATE UNIQUE INDEX referral_codes_by_code on referral_codes (code);
CREATE TABLE referral_applications (
  owner_id text not null primary key,
  referrer_id text not null,
  applied_at integer not null
  ) strict, without rowid;
CREATE TABLE referral_credits (
  owner_id text not null,
  invited_id text not null,
  credited_at integer not null,
  primary key (owner_id, invited_id)
  ) strict, without rowid;
CREATE TABLE objects (
  owner_id text not null,
  id text not null,
  trashed integer not null,
  is_hidden integer not null,
  kind text not null,
  doc_type text not null,
  folder text not null,
  text_state text not null,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer,
  filename text not null,
  original_name text not null,
  ai_name text not null,
  name_source text not null,
  name_locked integer not null,
  mime text not null,
  format text not null,
  size integer not null,
  content_hash text not null,
  blob_id text not null,
  version integer not null,
  status text not null,
  error text,
  categories text not null,
  title text not null,
  summary text not null,
  meeting_date integer,
  suggested_name text,
  suggested_reason text,
  suggested_folder text,
  folder_answered integer not null default 0,
  source_url text,
  has_corrections integer not null,
  needs_manual integer not null, name_key text not null default '', suggested integer not null default 0,
  primary key (owner_id, id)
  ) strict;
CREATE INDEX objects_by_kind on objects
  (owner_id, trashed, is_hidden, kind, created_at, id, text_state);
CREATE INDEX objects_by_doc_type on objects
  (owner_id, trashed, is_hidden, doc_type, created_at, id, kind);
CREATE INDEX objects_by_folder on objects
  (owner_id, trashed, is_hidden, folder, created_at, id, kind, doc_type);
CREATE INDEX objects_by_kind_and_type on objects
  (owner_id, trashed, is_hidden, kind, doc_type, created_at, id);
CREATE INDEX objects_by_folder_and_kind on objects
  (owner_id, trashed, is_hidden, folder, kind, created_at, id, doc_type);
CREATE INDEX objects_by_folder_and_type on objects
  (owner_id, trashed, is_hidden, folder, doc_type, created_at, id, kind);
CREATE INDEX objects_in_folder on objects (owner_id, folder, id);
CREATE INDEX objects_by_hash on objects (owner_id, content_hash, trashed, created_at, id);
CREATE INDEX objects_in_trash on objects (deleted_at, id) where deleted_at is not null;
CREATE TABLE versions (
  owner_id text not null,
  object_id text not null,
  version integer not null,
  kind text not null,
  mime text not null,
  format text not null,
  size integer not null,
  sha256 text not null,
  blob_id text not null,
  origin text not null,
  created_at integer not null,
  primary key (owner_id, object_id, version)
  ) strict, without rowid;
CREATE TABLE contents (
  owner_id text not null,
  sha256 text not null,
  size integer not null,
  blob_id text not null unique,
  refs integer not null,
  primary key (owner_id, sha256)
  ) strict, without rowid;
CREATE TABLE object_texts (
  owner_id text not null,
  object_id text not null,
  version integer not null,
  source text not null,
  language text not null,
  text text not null,
  pages text not null,
  primary key (owner_id, object_id)
  ) strict;
CREATE TABLE text_corrections (
  owner_id text not null,
  object_id text not null,
  text text not null,
  saved_at integer not null,
  language text not null default '',
  primary key (owner_id, object_id)
  ) strict;
CREATE TABLE enrichments (
  owner_id text not null,
  object_id text not null,
  version integer not null,
  model text not null,
  language text not null,
  title text not null,
  description text not null,
  summary text not null,
  doc_type text not null,
  keywords text not null,
  entities text not null,
  primary key (owner_id, object_id)
  ) strict;
CREATE TABLE link_previews (
  owner_id text not null,
  object_id text not null,
  final_url text not null,
  title text not null,
  site_name text not null,
  description text not null,
  image_sha256 text,
  image_blob_id text,
  image_size integer,
  image_mime text,
  fetched_at integer not null,
  primary key (owner_id, object_id)
  ) strict;
CREATE TABLE thumbnails (
  owner_id text not null,
  object_id text not null,
  longest_side integer not null,
  content_hash text not null,
  blob_id text not null unique,
  sha256 text not null,
  size integer not null,
  created_at integer not null,
  primary key (owner_id, object_id, longest_side)
  ) strict, without rowid;
CREATE TABLE themes (
  owner_id text not null,
  id text not null,
  name text not null,
  name_fold text not null,
  icon text not null,
  is_hidden integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE INDEX themes_by_name on themes (owner_id, name_fold, id);
CREATE TABLE collections (
  owner_id text not null,
  id text not null,
  name text not null,
  name_fold text not null,
  description text not null,
  icon text not null,
  theme text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (owner_id, id)
  ) strict;
CREATE UNIQUE INDEX collections_by_theme on collections (owner_id, theme, name_fold);
CREATE INDEX collections_by_name on collections (owner_id, name_fold, id);
CREATE TABLE reorganizations (
  owner_id text not null,
  id text not null,
  scope text not null,
  dry_run integer not null,
  state text not null,
  phase text not null,
  planned integer not null,
  total integer not null,
  processed integer not null,
  moved integer not null,
  skipped integer not null,
  created_folders integer not null,
  created_themes integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE TABLE reorganization_targets (
  owner_id text not null,
  run_id text not null,
  id text not null,
  kind text not null,
  name text not null,
  description text not null,
  icon text not null,
  theme text not null,
  resolved_id text not null,
  primary key (owner_id, run_id, id)
  ) strict;
CREATE TABLE reorganization_moves (
  owner_id text not null,
  run_id text not null,
  object_id text not null,
  ord integer not null,
  from_folder text not null,
  to_folder text not null,
  state text not null,
  undone integer not null,
  primary key (owner_id, run_id, object_id)
  ) strict, without rowid;
CREATE INDEX reorganization_moves_in_order on reorganization_moves
  (owner_id, run_id, state, ord);
CREATE INDEX reorganization_moves_of_object on reorganization_moves (owner_id, object_id);
CREATE TABLE chat_sessions (
  owner_id text not null,
  id text not null,
  title text not null,
  kind text not null,
  folder text not null,
  pinned integer not null,
  created_at integer not null,
  updated_at integer not null,
  has_document_text integer not null default 1, bound_to text, is_hidden integer not null default 0,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE INDEX chats_by_time on chat_sessions (owner_id, pinned, updated_at, id);
CREATE INDEX chats_by_kind on chat_sessions (owner_id, kind, pinned, updated_at, id);
CREATE INDEX chats_by_folder on chat_sessions (owner_id, folder, pinned, updated_at, id);
CREATE TABLE chat_messages (
  owner_id text not null,
  session_id text not null,
  seq integer not null,
  id text not null,
  role text not null,
  content text not null,
  created_at integer not null,
  attachments text not null,
  citations text not null,
  objects text,
  steps text, coverage text, engine text, confidence text, incomplete text, agent_role text, incomplete_reason text,
  primary key (owner_id, session_id, seq)
  ) strict;
CREATE INDEX chat_questions on chat_messages (owner_id, created_at, id) where role = 'user';
CREATE TABLE agent_roles (
  owner_id text not null,
  slug text not null,
  id text not null,
  name text not null,
  description text not null,
  icon text not null,
  persona text not null,
  toolsets text not null,
  created_at integer not null,
  updated_at integer not null, is_imported integer not null default 0,
  primary key (owner_id, slug)
  ) strict;
CREATE UNIQUE INDEX agent_roles_by_id on agent_roles (owner_id, id);
CREATE INDEX agent_roles_by_time on agent_roles (owner_id, created_at, id);
CREATE TABLE active_agent_roles (
  owner_id text not null primary key,
  slug text not null
  ) strict, without rowid;
CREATE TABLE agent_confirmations (
  owner_id text not null,
  id text not null,
  session_id text not null,
  run text not null,
  created_at integer not null,
  expires_at integer not null,
  primary key (owner_id, id)
  ) strict;
CREATE TABLE tasks (
  owner_id text not null,
  id text not null,
  kind text not null,
  subject text not null,
  payload text not null,
  state text not null,
  attempts integer not null,
  due_at integer not null,
  lease_until integer,
  claimable_at integer,
  error text,
  created_at integer not null,
  primary key (owner_id, id)
  ) strict;
CREATE INDEX tasks_by_id on tasks (id);
CREATE INDEX tasks_by_subject on tasks (owner_id, subject);
CREATE INDEX tasks_due on tasks (claimable_at, id) where claimable_at is not null;
CREATE TABLE image_operations (
  owner_id text not null,
  id text not null,
  ord integer not null,
  object_id text not null,
  operation text not null,
  state text not null,
  ended integer not null,
  error text,
  version integer,
  created_at integer not null,
  updated_at integer not null,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE INDEX image_operations_in_order on image_operations (owner_id, ended, ord);
CREATE INDEX image_operations_of_object on image_operations
  (owner_id, object_id, ended, ord);
CREATE TABLE office_sessions (
  owner_id text not null,
  object_id text not null,
  document_key text not null,
  opened_version integer not null,
  version integer not null,
  state text not null,
  editable integer not null,
  processed_saves text not null,
  notified_issues text not null,
  created_at integer not null,
  used_at integer not null,
  primary key (owner_id, object_id, document_key)
  ) strict;
CREATE INDEX office_sessions_by_use on office_sessions (owner_id, used_at);
CREATE TABLE notifications (
  owner_id text not null,
  id text not null,
  kind text not null,
  title text not null,
  body text not null,
  payload text not null,
  object_id text not null,
  is_hidden integer not null,
  read_at integer,
  created_at integer not null,
  primary key (owner_id, id)
  ) strict;
CREATE INDEX notifications_by_time on notifications (owner_id, created_at, id);
CREATE INDEX notifications_by_visibility on notifications
  (owner_id, is_hidden, created_at, id);
CREATE INDEX notifications_unread on notifications (owner_id, created_at, id)
  where read_at is null;
CREATE INDEX notifications_of_object on notifications (owner_id, object_id);
CREATE TABLE notification_states (
  owner_id text not null primary key,
  version integer not null,
  visible_version integer not null,
  visible_total integer not null,
  visible_unread integer not null,
  hidden_total integer not null,
  hidden_unread integer not null
  ) strict, without rowid;
CREATE TABLE calendar_events (
  owner_id text not null,
  id text not null,
  number integer not null,
  uid text not null,
  title text not null,
  description text not null,
  location text not null,
  starts integer not null,
  later integer not null,
  duration_days integer not null,
  duration_ms integer not null,
  tz text not null,
  all_day integer not null,
  reminders text not null,
  status text not null,
  rrule text not null,
  last_start integer,
  reach_from integer not null,
  reach_until integer not null,
  next_reminder_at integer,
  search_fold text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (owner_id, id)
  ) strict;
CREATE UNIQUE INDEX calendar_events_by_uid on calendar_events (owner_id, uid);
CREATE INDEX calendar_events_by_number on calendar_events (owner_id, number);
CREATE INDEX calendar_events_by_reach on calendar_events
  (owner_id, reach_until, id, reach_from);
CREATE INDEX calendar_events_due on calendar_events (next_reminder_at)
  where next_reminder_at is not null;
CREATE TABLE calendar_exceptions (
  owner_id text not null,
  event_id text not null,
  original integer not null,
  changes text,
  span_from integer,
  span_until integer,
  primary key (owner_id, event_id, original)
  ) strict;
CREATE INDEX calendar_exceptions_by_original on calendar_exceptions (owner_id, original);
CREATE INDEX calendar_exceptions_by_span on calendar_exceptions
  (owner_id, span_until, span_from) where span_until is not null;
CREATE TABLE calendars (
  owner_id text not null,
  last_number integer not null,
  version integer not null,
  feed text,
  primary key (owner_id)
  ) strict, without rowid;
CREATE UNIQUE INDEX calendars_by_feed on calendars (feed) where feed is not null;
CREATE TABLE bots (
  owner_id text not null,
  id text not null,
  platform text not null,
  account_id text not null,
  username text not null,
  name text not null,
  sealed_token text not null,
  link_code text not null,
  owner_chat_id text,
  webhook text,
  update_offset text,
  update_offset_at integer,
  created_at integer not null,
  updated_at integer not null, reception_state text not null default 'polling', reception_reason text not null default '', failed_webhook text,
  primary key (owner_id, id)
  ) strict;
CREATE UNIQUE INDEX bots_by_account on bots (platform, account_id);
CREATE UNIQUE INDEX bots_by_id on bots (id);
CREATE TABLE bot_chats (
  owner_id text not null,
  bot_id text not null,
  chat_id text not null,
  title text not null,
  description text not null,
  collection_id text not null,
  note_object_id text not null,
  member_count integer not null,
  known_count integer not null,
  proactive_allowed integer not null,
  last_seen_at integer,
  synced_at integer,
  sync_due_at integer not null,
  is_present integer not null,
  presence_update_id text,
  title_update_id text,
  last_update_at integer not null,
  revision integer not null,
  primary key (owner_id, bot_id, chat_id)
  ) strict, without rowid;
CREATE INDEX bot_chats_due on bot_chats (owner_id, bot_id, sync_due_at, chat_id)
  where is_present = 1;
CREATE INDEX bot_chats_absent on bot_chats (owner_id, bot_id, last_update_at)
  where is_present = 0;
CREATE TABLE bot_members (
  owner_id text not null,
  bot_id text not null,
  chat_id text not null,
  user_id text not null,
  display_name text not null,
  username text not null,
  role text not null,
  source text not null,
  last_seen_at integer,
  is_present integer not null,
  presence_update_id text,
  role_update_id text,
  last_update_at integer not null,
  primary key (owner_id, bot_id, chat_id, user_id)
  ) strict, without rowid;
CREATE INDEX bot_members_absent on bot_members (owner_id, bot_id, last_update_at)
  where is_present = 0;
CREATE TABLE bot_chat_migrations (
  owner_id text not null,
  bot_id text not null,
  from_chat_id text not null,
  to_chat_id text not null,
  primary key (owner_id, bot_id, from_chat_id)
  ) strict, without rowid;
CREATE INDEX bot_chat_migrations_by_target on bot_chat_migrations
  (owner_id, bot_id, to_chat_id);
CREATE TABLE bot_updates (
  owner_id text not null,
  bot_id text not null,
  update_id text not null,
  received_at integer not null,
  primary key (owner_id, bot_id, update_id)
  ) strict, without rowid;
CREATE INDEX bot_updates_by_time on bot_updates (owner_id, bot_id, received_at);
CREATE TABLE shares (
  owner_id text not null,
  id text not null,
  kind text not null,
  resource_id text not null,
  role text not null,
  name text not null,
  prefix text not null,
  digest text not null,
  password_hash text,
  expires_at integer,
  access_count integer not null,
  upload_count integer not null,
  uploaded_bytes integer not null default 0,
  max_upload_bytes integer not null default 1073741824,
  max_upload_files integer not null default 500,
  created_at integer not null,
  updated_at integer not null,
  primary key (owner_id, id)
  ) strict;
CREATE UNIQUE INDEX shares_by_digest on shares (digest);
CREATE INDEX shares_by_time on shares (owner_id, created_at, id);
CREATE INDEX shares_by_resource on shares (owner_id, resource_id);
CREATE TABLE share_accesses (
  owner_id text not null,
  share_id text not null,
  digest text not null,
  expires_at integer not null,
  primary key (owner_id, share_id, digest)
  ) strict, without rowid;
CREATE INDEX share_accesses_by_expiry on share_accesses (owner_id, expires_at);
CREATE TABLE share_password_attempts (
  owner_id text not null,
  share_id text not null,
  visitor text not null,
  attempt_times text not null,
  reserved_at integer,
  expires_at integer not null,
  primary key (owner_id, share_id, visitor)
  ) strict, without rowid;
CREATE INDEX share_password_attempts_by_expiry on share_password_attempts
  (owner_id, expires_at);
CREATE TABLE integrations (
  owner_id text not null,
  kind text not null,
  config text not null,
  sealed_secret text,
  secret_hint text not null,
  enabled integer not null,
  health text not null,
  checked_at integer not null,
  last_error text not null,
  updated_at integer not null, habits text not null default '[]',
  primary key (owner_id, kind)
  ) strict, without rowid;
CREATE TABLE retired_buckets (
  owner_id text not null,
  id text not null,
  config text not null,
  sealed_secret text,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE TABLE blob_locations (
  owner_id text not null,
  copy_id text not null,
  blob_id text not null,
  location text not null,
  state text not null,
  created_at integer not null,
  primary key (owner_id, copy_id)
  ) strict, without rowid;
CREATE INDEX blob_locations_of_blob on blob_locations (blob_id);
CREATE INDEX blob_locations_by_copy on blob_locations (copy_id);
CREATE INDEX blob_locations_by_location on blob_locations (owner_id, location);
CREATE UNIQUE INDEX blob_locations_current on blob_locations (owner_id, blob_id)
  where state = 'current';
CREATE INDEX blob_locations_unfinished on blob_locations (owner_id, created_at, copy_id)
  where state <> 'current';
CREATE TABLE deletion_holds (
  id text not null primary key,
  held_until integer not null
  ) strict, without rowid;
CREATE TABLE storage_migrations (
  owner_id text not null primary key,
  id text not null,
  direction text not null,
  status text not null,
  cancel_requested integer not null,
  error text not null,
  started_at integer not null,
  finished_at integer
  ) strict, without rowid;
CREATE TABLE storage_migration_failures (
  owner_id text not null,
  blob_id text not null,
  attempts integer not null,
  is_final integer not null,
  reason text not null,
  primary key (owner_id, blob_id)
  ) strict, without rowid;
CREATE TABLE `search_owners` (`owner_no` integer not null primary key autoincrement, `tenant_id` text not null, `owner_id` text not null);
CREATE UNIQUE INDEX `search_owners_tenant_id_owner_id_unique` on `search_owners` (`tenant_id`, `owner_id`);
CREATE TABLE `search_entries` (`number` integer not null primary key autoincrement, `owner_no` integer not null, `object_id` text not null, `zone` text not null, `kind` text not null, `doc_type` text not null, `collection_id` text, `created_at` bigint not null, `passages` integer not null, `terms` integer not null);
CREATE UNIQUE INDEX `search_entries_owner_no_object_id_unique` on `search_entries` (`owner_no`, `object_id`);
CREATE INDEX `search_entries_owner_no_collection_id_index` on `search_entries` (`owner_no`, `collection_id`);
CREATE TABLE `search_totals` (`owner_no` integer not null, `zone` text not null, `objects` bigint not null, `passages` bigint not null, `terms` bigint not null, primary key (`owner_no`, `zone`));
CREATE TABLE search_passages (
  number integer not null primary key,
  char_start integer not null,
  char_end integer not null,
  terms text not null,
  text text not null
  ) strict;
CREATE VIRTUAL TABLE search_terms using fts5(
  terms, content='', contentless_delete=1, tokenize="ascii tokenchars '_'");
CREATE INDEX bound_chats on chat_sessions (owner_id, pinned, updated_at, id)
  where bound_to is not null;
CREATE TABLE sessions (
  owner_id text not null,
  id text not null,
  digest text not null unique,
  method text not null,
  created_at integer not null,
  signed_in_at integer not null,
  last_used_at integer not null,
  expires_at integer not null,
  network text not null,
  client text not null,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE INDEX sessions_by_use on sessions (owner_id, last_used_at, id);
CREATE INDEX sessions_by_expiry on sessions (expires_at, owner_id);
CREATE INDEX sessions_by_last_use on sessions (last_used_at, owner_id);
CREATE TABLE known_clients (
  owner_id text not null,
  network text not null,
  client text not null,
  seen_at integer not null,
  primary key (owner_id, network, client)
  ) strict, without rowid;
CREATE TABLE passwords (
  owner_id text not null primary key,
  folded_name text not null,
  sealed_hash text not null,
  set_at integer not null
  ) strict, without rowid;
CREATE INDEX passwords_by_name on passwords (folded_name, set_at, owner_id);
CREATE TABLE passkeys (
  owner_id text not null,
  id text not null,
  credential_id text not null unique,
  public_key text not null,
  counter integer not null,
  transports text not null,
  is_backup_eligible integer not null,
  is_backed_up integer not null,
  name text not null,
  created_at integer not null,
  last_used_at integer,
  primary key (owner_id, id)
  ) strict;
CREATE TABLE oidc_links (
  owner_id text not null primary key,
  issuer text not null,
  subject text not null,
  linked_at integer not null,
  unique (issuer, subject)
  ) strict, without rowid;
CREATE TABLE one_time_secrets (
  digest text not null primary key,
  purpose text not null,
  owner_id text,
  payload text not null,
  expires_at integer not null
  ) strict;
CREATE INDEX one_time_secrets_by_expiry on one_time_secrets (purpose, expires_at, digest);
CREATE INDEX one_time_secrets_of_owner on one_time_secrets (owner_id, purpose);
CREATE TABLE sign_in_attempts (
  account text not null,
  network text not null,
  attempt_times text not null,
  reserved_at integer,
  expires_at integer not null,
  primary key (account, network)
  ) strict, without rowid;
CREATE INDEX sign_in_attempts_by_expiry on sign_in_attempts (expires_at);
CREATE TABLE security_events (
  owner_id text not null,
  seq integer not null,
  id text not null,
  at integer not null,
  kind text not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  network text not null,
  subject text not null,
  detail text not null,
  object_id text,
  previous_digest text not null,
  digest text not null, facts text,
  primary key (owner_id, seq)
  ) strict;
CREATE INDEX security_events_by_kind on security_events (owner_id, kind, seq);
CREATE INDEX security_events_by_time on security_events (at, owner_id);
CREATE TABLE object_categories (
  owner_id text not null,
  category text not null,
  trashed integer not null,
  is_hidden integer not null,
  created_at integer not null,
  object_id text not null,
  primary key (owner_id, category, trashed, is_hidden, created_at, object_id)
  ) strict, without rowid;
CREATE TABLE object_counts (
  owner_id text not null,
  folder text not null,
  trashed integer not null,
  is_hidden integer not null,
  kind text not null,
  doc_type text not null,
  text_state text not null,
  status text not null,
  suggested integer not null,
  n integer not null,
  primary key (owner_id, folder, trashed, is_hidden, kind, doc_type, text_state, status, suggested)
  ) strict, without rowid;
CREATE TABLE saved_views (
  owner_id text not null,
  id text not null,
  name text not null,
  filters text not null,
  sort_order text not null,
  position integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE TABLE bulk_runs (
  owner_id text not null,
  id text not null,
  action text not null,
  folder text not null,
  categories text not null,
  filter text,
  except_ids text not null,
  undo_of text not null,
  is_background integer not null,
  is_concealed integer not null,
  zone text not null,
  bound_to text not null,
  state text not null,
  is_collected integer not null,
  position text,
  next_ord integer not null,
  created_at integer not null,
  updated_at integer not null,
  expires_at integer,
  primary key (owner_id, id)
  ) strict;
CREATE INDEX bulk_runs_by_age on bulk_runs (owner_id, is_background, created_at, id);
CREATE TABLE bulk_items (
  owner_id text not null,
  run_id text not null,
  object_id text not null,
  ord integer not null,
  is_hidden integer not null,
  outcome text not null,
  change text,
  primary key (owner_id, run_id, object_id)
  ) strict, without rowid;
CREATE INDEX bulk_items_in_order on bulk_items (owner_id, run_id, outcome, ord);
CREATE INDEX bulk_items_of_object on bulk_items (owner_id, object_id);
CREATE TABLE bulk_counts (
  owner_id text not null,
  run_id text not null,
  is_hidden integer not null,
  outcome text not null,
  n integer not null,
  primary key (owner_id, run_id, is_hidden, outcome)
  ) strict, without rowid;
CREATE TABLE uploads (
  owner_id text not null,
  id text not null,
  filename text not null,
  metadata text not null,
  folder text not null,
  on_duplicate text not null,
  folder_path text not null,
  drop_id text not null,
  drop_name text not null,
  size integer not null,
  received integer not null,
  state text not null,
  object_id text not null,
  created_at integer not null,
  progress_at integer not null,
  primary key (owner_id, id)
  ) strict, without rowid;
CREATE INDEX uploads_by_progress on uploads (progress_at, owner_id);
CREATE INDEX uploads_of_drop on uploads (owner_id, drop_name, progress_at);
CREATE INDEX uploads_open on uploads (owner_id) where state = 'open';
CREATE TABLE upload_parts (
  owner_id text not null,
  upload_id text not null,
  start_at integer not null,
  size integer not null,
  sha256 text not null,
  primary key (owner_id, upload_id, start_at)
  ) strict, without rowid;
CREATE TABLE chat_objects (
  owner_id text not null,
  session_id text not null,
  object_id text not null,
  is_hidden integer not null,
  primary key (owner_id, session_id, object_id)
  ) strict, without rowid;
CREATE INDEX chat_objects_by_object on chat_objects (owner_id, object_id, session_id);
CREATE INDEX chat_objects_hidden on chat_objects (owner_id, session_id) where is_hidden = 1;
CREATE INDEX objects_by_time on objects (owner_id, trashed, is_hidden, created_at, id, folder, kind, doc_type, status, suggested, text_state);
CREATE INDEX objects_by_status on objects (owner_id, trashed, is_hidden, status, created_at, id, kind, doc_type, folder);
CREATE INDEX objects_by_suggestion on objects (owner_id, trashed, is_hidden, suggested, created_at, id, kind, doc_type, folder);
CREATE INDEX objects_by_name on objects (owner_id, trashed, is_hidden, name_key, id, created_at, folder, kind, doc_type, status, suggested, text_state);
CREATE INDEX objects_by_size on objects (owner_id, trashed, is_hidden, size, id, created_at, folder, kind, doc_type, status, suggested, text_state);
CREATE INDEX objects_by_update on objects (owner_id, trashed, is_hidden, updated_at, id, created_at, folder, kind, doc_type, status, suggested, text_state);
CREATE TABLE agent_undos (
  owner_id text not null,
  id text not null,
  session_id text not null,
  tool text not null,
  effects text not null,
  created_at integer not null,
  expires_at integer,
  undone_at integer,
  primary key (owner_id, id)
  ) strict;
CREATE INDEX agent_undos_of_session on agent_undos (owner_id, session_id);
CREATE INDEX agent_undos_by_expiry on agent_undos (expires_at, owner_id) where expires_at is not null;
CREATE TABLE import_runs (
  owner_id text not null,
  id text not null,
  request_key text not null,
  kind text not null,
  filename text not null,
  state text not null,
  is_concealed integer not null,
  done integer not null,
  total integer,
  report text,
  code text,
  lease_until integer not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (owner_id, id),
  unique (owner_id, request_key)
  ) strict;
CREATE INDEX import_runs_by_age on import_runs (owner_id, created_at, id);
insert into search_terms (search_terms, rank) values ('deletemerge', 0);
insert into tenants (id, name, created_at) values
  ('["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', 1);
insert into active_agent_roles (owner_id, slug) values
  ('["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]');
insert into agent_confirmations (owner_id, id, session_id, run, created_at, expires_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1);
insert into agent_roles (owner_id, slug, id, name, description, icon, persona, toolsets, created_at, updated_at, is_imported) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1);
insert into agent_undos (owner_id, id, session_id, tool, effects, created_at, expires_at, undone_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1);
insert into blob_locations (owner_id, copy_id, blob_id, location, state, created_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into bot_chat_migrations (owner_id, bot_id, from_chat_id, to_chat_id) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into bot_chats (owner_id, bot_id, chat_id, title, description, collection_id, note_object_id, member_count, known_count, proactive_allowed, last_seen_at, synced_at, sync_due_at, is_present, presence_update_id, title_update_id, last_update_at, revision) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, 0, 0, 0, 0, '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, 1, 1, 1, 1, '["лето 1"]', '["лето 1"]', 1, 1);
insert into bot_members (owner_id, bot_id, chat_id, user_id, display_name, username, role, source, last_seen_at, is_present, presence_update_id, role_update_id, last_update_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]', '["лето 1"]', 1);
insert into bot_updates (owner_id, bot_id, update_id, received_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into bots (owner_id, id, platform, account_id, username, name, sealed_token, link_code, owner_chat_id, webhook, update_offset, update_offset_at, created_at, updated_at, reception_state, reception_reason, failed_webhook) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into bulk_counts (owner_id, run_id, is_hidden, outcome, n) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1);
insert into bulk_items (owner_id, run_id, object_id, ord, is_hidden, outcome, change) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]', '["лето 1"]');
insert into bulk_runs (owner_id, id, action, folder, categories, filter, except_ids, undo_of, is_background, is_concealed, zone, bound_to, state, is_collected, position, next_ord, created_at, updated_at, expires_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0, 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1, 1, 1, 1);
insert into calendar_events (owner_id, id, number, uid, title, description, location, starts, later, duration_days, duration_ms, tz, all_day, reminders, status, rrule, last_start, reach_from, reach_until, next_reminder_at, search_fold, created_at, updated_at) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, 0, '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, 0, '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, 1, '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, 1, '["лето 1"]', 1, 1);
insert into calendar_exceptions (owner_id, event_id, original, changes, span_from, span_until) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1, 1);
insert into calendars (owner_id, last_number, version, feed) values
  ('["лето 0"]', 0, 0, '["лето 0"]'),
  ('["лето 1"]', 1, 1, '["лето 1"]');
insert into chat_messages (owner_id, session_id, seq, id, role, content, created_at, attachments, citations, objects, steps, coverage, engine, confidence, incomplete, agent_role, incomplete_reason) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into chat_objects (owner_id, session_id, object_id, is_hidden) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into chat_sessions (owner_id, id, title, kind, folder, pinned, created_at, updated_at, has_document_text, bound_to, is_hidden) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, 0, '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, 1, '["лето 1"]', 1);
insert into collections (owner_id, id, name, name_fold, description, icon, theme, created_at, updated_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1);
insert into contents (owner_id, sha256, size, blob_id, refs) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1);
insert into deletion_holds (id, held_until) values
  ('["лето 0"]', 0),
  ('["лето 1"]', 1);
insert into enrichments (owner_id, object_id, version, model, language, title, description, summary, doc_type, keywords, entities) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into idempotency_records (owner_id, record_key, fingerprint, response, expires_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into image_operations (owner_id, id, ord, object_id, operation, state, ended, error, version, created_at, updated_at) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1, 1, 1);
insert into import_runs (owner_id, id, request_key, kind, filename, state, is_concealed, done, total, report, code, lease_until, created_at, updated_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, '["лето 0"]', '["лето 0"]', 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, '["лето 1"]', '["лето 1"]', 1, 1, 1);
insert into integrations (owner_id, kind, config, sealed_secret, secret_hint, enabled, health, checked_at, last_error, updated_at, habits) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0, '["лето 0"]', 0, '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1, '["лето 1"]', 1, '["лето 1"]');
insert into known_clients (owner_id, network, client, seen_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into link_previews (owner_id, object_id, final_url, title, site_name, description, image_sha256, image_blob_id, image_size, image_mime, fetched_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1);
insert into list_counts (owner_id, list, part, n) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into monthly_usage (owner_id, month, metric, n) values
  ('["лето 0"]', 0, '["лето 0"]', 0),
  ('["лето 1"]', 1, '["лето 1"]', 1);
insert into notification_states (owner_id, version, visible_version, visible_total, visible_unread, hidden_total, hidden_unread) values
  ('["лето 0"]', 0, 0, 0, 0, 0, 0),
  ('["лето 1"]', 1, 1, 1, 1, 1, 1);
insert into notifications (owner_id, id, kind, title, body, payload, object_id, is_hidden, read_at, created_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1);
insert into object_categories (owner_id, category, trashed, is_hidden, created_at, object_id) values
  ('["лето 0"]', '["лето 0"]', 0, 0, 0, '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', 1, 1, 1, '["лето 1"]');
insert into object_counts (owner_id, folder, trashed, is_hidden, kind, doc_type, text_state, status, suggested, n) values
  ('["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1);
insert into object_texts (owner_id, object_id, version, source, language, text, pages) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into objects (owner_id, id, trashed, is_hidden, kind, doc_type, folder, text_state, created_at, updated_at, deleted_at, filename, original_name, ai_name, name_source, name_locked, mime, format, size, content_hash, blob_id, version, status, error, categories, title, summary, meeting_date, suggested_name, suggested_reason, suggested_folder, folder_answered, source_url, has_corrections, needs_manual, name_key, suggested) values
  ('["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0, 0, '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1, 1, '["лето 1"]', 1);
insert into office_sessions (owner_id, object_id, document_key, opened_version, version, state, editable, processed_saves, notified_issues, created_at, used_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', 1, 1);
insert into oidc_links (owner_id, issuer, subject, linked_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into one_time_secrets (digest, purpose, owner_id, payload, expires_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into owner_usage (owner_id, bytes) values
  ('["лето 0"]', 0),
  ('["лето 1"]', 1);
insert into owners (id, tenant_id, name, role, created_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into passkeys (owner_id, id, credential_id, public_key, counter, transports, is_backup_eligible, is_backed_up, name, created_at, last_used_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0, 0, '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1, 1, '["лето 1"]', 1, 1);
insert into passwords (owner_id, folded_name, sealed_hash, set_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into pin_locks (owner_id, pin_hash, failures, locked_until) values
  ('["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', 1, 1);
insert into referral_applications (owner_id, referrer_id, applied_at) values
  ('["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', 1);
insert into referral_codes (owner_id, code) values
  ('["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]');
insert into referral_credits (owner_id, invited_id, credited_at) values
  ('["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', 1);
insert into reorganization_moves (owner_id, run_id, object_id, ord, from_folder, to_folder, state, undone) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into reorganization_targets (owner_id, run_id, id, kind, name, description, icon, theme, resolved_id) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into reorganizations (owner_id, id, scope, dry_run, state, phase, planned, total, processed, moved, skipped, created_folders, created_themes, created_at, updated_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', 0, 0, 0, 0, 0, 0, 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', 1, 1, 1, 1, 1, 1, 1, 1, 1);
insert into retired_buckets (owner_id, id, config, sealed_secret) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into saved_views (owner_id, id, name, filters, sort_order, position, created_at, updated_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1);
insert into schema_versions (version, name) values (1, 'initial');
insert into schema_versions (version, name) values (2, 'sign-in');
insert into schema_versions (version, name) values (3, 'app');
insert into schema_versions (version, name) values (4, 'agent undos');
insert into schema_versions (version, name) values (5, 'message roles');
insert into schema_versions (version, name) values (6, 'import runs');
insert into schema_versions (version, name) values (7, 'event facts');
insert into schema_versions (version, name) values (8, 'role origins');
insert into schema_versions (version, name) values (9, 'bot reception');
insert into schema_versions (version, name) values (10, 'incomplete reasons');
insert into schema_versions (version, name) values (11, 'model habits');
insert into search_entries (number, owner_no, object_id, zone, kind, doc_type, collection_id, created_at, passages, terms) values
  (0, 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0),
  (1, 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1);
insert into search_owners (owner_no, tenant_id, owner_id) values
  (0, '["лето 0"]', '["лето 0"]'),
  (1, '["лето 1"]', '["лето 1"]');
insert into search_passages (number, char_start, char_end, terms, text) values
  (0, 0, 0, '["лето 0"]', '["лето 0"]'),
  (1, 1, 1, '["лето 1"]', '["лето 1"]');
insert into search_terms (rowid, terms) values
  (0, '["лето 0"]'),
  (1, '["лето 1"]');
insert into search_totals (owner_no, zone, objects, passages, terms) values
  (0, '["лето 0"]', 0, 0, 0),
  (1, '["лето 1"]', 1, 1, 1);
insert into security_events (owner_id, seq, id, at, kind, actor_kind, actor_id, actor_name, network, subject, detail, object_id, previous_digest, digest, facts) values
  ('["лето 0"]', 0, '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', 1, '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into sessions (owner_id, id, digest, method, created_at, signed_in_at, last_used_at, expires_at, network, client) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, 0, '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, 1, '["лето 1"]', '["лето 1"]');
insert into settings (owner_id, auto_rename_mode, calendar_reminders_messenger, chat_memory, proactive, timezone, ui, prefs) values
  ('["лето 0"]', '["лето 0"]', 0, 0, 0, '["лето 0"]', '["лето 0"]', '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', 1, 1, 1, '["лето 1"]', '["лето 1"]', '["лето 1"]');
insert into share_accesses (owner_id, share_id, digest, expires_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
insert into share_password_attempts (owner_id, share_id, visitor, attempt_times, reserved_at, expires_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1);
insert into shares (owner_id, id, kind, resource_id, role, name, prefix, digest, password_hash, expires_at, access_count, upload_count, uploaded_bytes, max_upload_bytes, max_upload_files, created_at, updated_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, 0, 0, 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, 1, 1, 1, 1, 1);
insert into sign_in_attempts (account, network, attempt_times, reserved_at, expires_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1);
insert into storage_migration_failures (owner_id, blob_id, attempts, is_final, reason) values
  ('["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]');
insert into storage_migrations (owner_id, id, direction, status, cancel_requested, error, started_at, finished_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', 1, 1);
insert into tasks (owner_id, id, kind, subject, payload, state, attempts, due_at, lease_until, claimable_at, error, created_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0, 0, '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1, 1, '["лето 1"]', 1);
insert into text_corrections (owner_id, object_id, text, saved_at, language) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]');
insert into themes (owner_id, id, name, name_fold, icon, is_hidden, created_at, updated_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, 1);
insert into thumbnails (owner_id, object_id, longest_side, content_hash, blob_id, sha256, size, created_at) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1);
insert into tokens (owner_id, id, name, prefix, digest, access, created_at, expires_at, scopes, folder_ids, last_used_at, last_used_network) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]', '["лето 0"]', 0, '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]', '["лето 1"]', 1, '["лето 1"]');
insert into unlock_tokens (owner_id, digest, expires_at) values
  ('["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', 1);
insert into upload_parts (owner_id, upload_id, start_at, size, sha256) values
  ('["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]'),
  ('["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]');
insert into uploads (owner_id, id, filename, metadata, folder, on_duplicate, folder_path, drop_id, drop_name, size, received, state, object_id, created_at, progress_at) values
  ('["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, 0, '["лето 0"]', '["лето 0"]', 0, 0),
  ('["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, 1, '["лето 1"]', '["лето 1"]', 1, 1);
insert into versions (owner_id, object_id, version, kind, mime, format, size, sha256, blob_id, origin, created_at) values
  ('["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0, '["лето 0"]', '["лето 0"]', '["лето 0"]', 0),
  ('["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1, '["лето 1"]', '["лето 1"]', '["лето 1"]', 1);
