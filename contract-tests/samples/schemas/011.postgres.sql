CREATE TABLE public.active_agent_roles (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.agent_confirmations (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    run text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.agent_roles (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    icon text NOT NULL COLLATE pg_catalog."C",
    persona text NOT NULL COLLATE pg_catalog."C",
    toolsets text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    is_imported smallint DEFAULT 0 NOT NULL
);
CREATE TABLE public.agent_undos (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    tool text NOT NULL COLLATE pg_catalog."C",
    effects text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint,
    undone_at bigint
);
CREATE TABLE public.blob_locations (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    copy_id text NOT NULL COLLATE pg_catalog."C",
    blob_id text NOT NULL COLLATE pg_catalog."C",
    location text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.bot_chat_migrations (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    bot_id text NOT NULL COLLATE pg_catalog."C",
    from_chat_id text NOT NULL COLLATE pg_catalog."C",
    to_chat_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.bot_chats (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    bot_id text NOT NULL COLLATE pg_catalog."C",
    chat_id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    collection_id text NOT NULL COLLATE pg_catalog."C",
    note_object_id text NOT NULL COLLATE pg_catalog."C",
    member_count bigint NOT NULL,
    known_count bigint NOT NULL,
    proactive_allowed smallint NOT NULL,
    last_seen_at bigint,
    synced_at bigint,
    sync_due_at bigint NOT NULL,
    is_present smallint NOT NULL,
    presence_update_id text COLLATE pg_catalog."C",
    title_update_id text COLLATE pg_catalog."C",
    last_update_at bigint NOT NULL,
    revision bigint NOT NULL
);
CREATE TABLE public.bot_members (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    bot_id text NOT NULL COLLATE pg_catalog."C",
    chat_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL COLLATE pg_catalog."C",
    username text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    last_seen_at bigint,
    is_present smallint NOT NULL,
    presence_update_id text COLLATE pg_catalog."C",
    role_update_id text COLLATE pg_catalog."C",
    last_update_at bigint NOT NULL
);
CREATE TABLE public.bot_updates (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    bot_id text NOT NULL COLLATE pg_catalog."C",
    update_id text NOT NULL COLLATE pg_catalog."C",
    received_at bigint NOT NULL
);
CREATE TABLE public.bots (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    username text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    sealed_token text NOT NULL COLLATE pg_catalog."C",
    link_code text NOT NULL COLLATE pg_catalog."C",
    owner_chat_id text COLLATE pg_catalog."C",
    webhook text COLLATE pg_catalog."C",
    update_offset text COLLATE pg_catalog."C",
    update_offset_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    reception_state text DEFAULT 'polling'::text NOT NULL COLLATE pg_catalog."C",
    reception_reason text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    failed_webhook text COLLATE pg_catalog."C"
);
CREATE TABLE public.bulk_counts (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    is_hidden smallint NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL
);
CREATE TABLE public.bulk_items (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    ord bigint NOT NULL,
    is_hidden smallint NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    change text COLLATE pg_catalog."C"
);
CREATE TABLE public.bulk_runs (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    folder text NOT NULL COLLATE pg_catalog."C",
    categories text NOT NULL COLLATE pg_catalog."C",
    filter text COLLATE pg_catalog."C",
    except_ids text NOT NULL COLLATE pg_catalog."C",
    undo_of text NOT NULL COLLATE pg_catalog."C",
    is_background smallint NOT NULL,
    is_concealed smallint NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    bound_to text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    is_collected smallint NOT NULL,
    "position" text COLLATE pg_catalog."C",
    next_ord bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    expires_at bigint
);
CREATE TABLE public.calendar_events (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    uid text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    location text NOT NULL COLLATE pg_catalog."C",
    starts bigint NOT NULL,
    later smallint NOT NULL,
    duration_days bigint NOT NULL,
    duration_ms bigint NOT NULL,
    tz text NOT NULL COLLATE pg_catalog."C",
    all_day smallint NOT NULL,
    reminders text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    rrule text NOT NULL COLLATE pg_catalog."C",
    last_start bigint,
    reach_from bigint NOT NULL,
    reach_until bigint NOT NULL,
    next_reminder_at bigint,
    search_fold text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.calendar_exceptions (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    original bigint NOT NULL,
    changes text COLLATE pg_catalog."C",
    span_from bigint,
    span_until bigint
);
CREATE TABLE public.calendars (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    last_number bigint NOT NULL,
    version bigint NOT NULL,
    feed text COLLATE pg_catalog."C"
);
CREATE TABLE public.chat_messages (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    attachments text NOT NULL COLLATE pg_catalog."C",
    citations text NOT NULL COLLATE pg_catalog."C",
    objects text COLLATE pg_catalog."C",
    steps text COLLATE pg_catalog."C",
    coverage text COLLATE pg_catalog."C",
    engine text COLLATE pg_catalog."C",
    confidence text COLLATE pg_catalog."C",
    incomplete text COLLATE pg_catalog."C",
    agent_role text COLLATE pg_catalog."C",
    incomplete_reason text COLLATE pg_catalog."C"
);
CREATE TABLE public.chat_objects (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    is_hidden smallint NOT NULL
);
CREATE TABLE public.chat_sessions (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    folder text NOT NULL COLLATE pg_catalog."C",
    pinned smallint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    has_document_text smallint DEFAULT 1 NOT NULL,
    bound_to text COLLATE pg_catalog."C",
    is_hidden smallint DEFAULT 0 NOT NULL
);
CREATE TABLE public.collections (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    name_fold text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    icon text NOT NULL COLLATE pg_catalog."C",
    theme text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.contents (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    blob_id text NOT NULL COLLATE pg_catalog."C",
    refs bigint NOT NULL
);
CREATE TABLE public.deletion_holds (
    id text NOT NULL COLLATE pg_catalog."C",
    held_until bigint NOT NULL
);
CREATE TABLE public.enrichments (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C",
    language text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    summary text NOT NULL COLLATE pg_catalog."C",
    doc_type text NOT NULL COLLATE pg_catalog."C",
    keywords text NOT NULL COLLATE pg_catalog."C",
    entities text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.idempotency_records (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    record_key text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    response text COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.image_operations (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    ord bigint NOT NULL,
    object_id text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    ended smallint NOT NULL,
    error text COLLATE pg_catalog."C",
    version bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.import_runs (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    request_key text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    filename text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    is_concealed smallint NOT NULL,
    done bigint NOT NULL,
    total bigint,
    report text COLLATE pg_catalog."C",
    code text COLLATE pg_catalog."C",
    lease_until bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.integrations (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    config text NOT NULL COLLATE pg_catalog."C",
    sealed_secret text COLLATE pg_catalog."C",
    secret_hint text NOT NULL COLLATE pg_catalog."C",
    enabled smallint NOT NULL,
    health text NOT NULL COLLATE pg_catalog."C",
    checked_at bigint NOT NULL,
    last_error text NOT NULL COLLATE pg_catalog."C",
    updated_at bigint NOT NULL,
    habits text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.known_clients (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    network text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    seen_at bigint NOT NULL
);
CREATE TABLE public.link_previews (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    final_url text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    site_name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    image_sha256 text COLLATE pg_catalog."C",
    image_blob_id text COLLATE pg_catalog."C",
    image_size bigint,
    image_mime text COLLATE pg_catalog."C",
    fetched_at bigint NOT NULL
);
CREATE TABLE public.list_counts (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    list text NOT NULL COLLATE pg_catalog."C",
    part text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL
);
CREATE TABLE public.monthly_usage (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    month bigint NOT NULL,
    metric text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL
);
CREATE TABLE public.notification_states (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    visible_version bigint NOT NULL,
    visible_total bigint NOT NULL,
    visible_unread bigint NOT NULL,
    hidden_total bigint NOT NULL,
    hidden_unread bigint NOT NULL
);
CREATE TABLE public.notifications (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    is_hidden smallint NOT NULL,
    read_at bigint,
    created_at bigint NOT NULL
);
CREATE TABLE public.object_categories (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    trashed smallint NOT NULL,
    is_hidden smallint NOT NULL,
    created_at bigint NOT NULL,
    object_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.object_counts (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    folder text NOT NULL COLLATE pg_catalog."C",
    trashed smallint NOT NULL,
    is_hidden smallint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    doc_type text NOT NULL COLLATE pg_catalog."C",
    text_state text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    suggested smallint NOT NULL,
    n bigint NOT NULL
);
CREATE TABLE public.object_texts (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    language text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    pages text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.objects (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    trashed smallint NOT NULL,
    is_hidden smallint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    doc_type text NOT NULL COLLATE pg_catalog."C",
    folder text NOT NULL COLLATE pg_catalog."C",
    text_state text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    deleted_at bigint,
    filename text NOT NULL COLLATE pg_catalog."C",
    original_name text NOT NULL COLLATE pg_catalog."C",
    ai_name text NOT NULL COLLATE pg_catalog."C",
    name_source text NOT NULL COLLATE pg_catalog."C",
    name_locked smallint NOT NULL,
    mime text NOT NULL COLLATE pg_catalog."C",
    format text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    content_hash text NOT NULL COLLATE pg_catalog."C",
    blob_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    error text COLLATE pg_catalog."C",
    categories text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    summary text NOT NULL COLLATE pg_catalog."C",
    meeting_date bigint,
    suggested_name text COLLATE pg_catalog."C",
    suggested_reason text COLLATE pg_catalog."C",
    suggested_folder text COLLATE pg_catalog."C",
    folder_answered smallint DEFAULT 0 NOT NULL,
    source_url text COLLATE pg_catalog."C",
    has_corrections smallint NOT NULL,
    needs_manual smallint NOT NULL,
    name_key text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    suggested smallint DEFAULT 0 NOT NULL
);
CREATE TABLE public.office_sessions (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    document_key text NOT NULL COLLATE pg_catalog."C",
    opened_version bigint NOT NULL,
    version bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    editable smallint NOT NULL,
    processed_saves text NOT NULL COLLATE pg_catalog."C",
    notified_issues text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    used_at bigint NOT NULL
);
CREATE TABLE public.oidc_links (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    linked_at bigint NOT NULL
);
CREATE TABLE public.one_time_secrets (
    digest text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    owner_id text COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.owner_usage (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    bytes bigint NOT NULL
);
CREATE TABLE public.owners (
    id text NOT NULL COLLATE pg_catalog."C",
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.passkeys (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    credential_id text NOT NULL COLLATE pg_catalog."C",
    public_key text NOT NULL COLLATE pg_catalog."C",
    counter bigint NOT NULL,
    transports text NOT NULL COLLATE pg_catalog."C",
    is_backup_eligible smallint NOT NULL,
    is_backed_up smallint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    last_used_at bigint
);
CREATE TABLE public.passwords (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    folded_name text NOT NULL COLLATE pg_catalog."C",
    sealed_hash text NOT NULL COLLATE pg_catalog."C",
    set_at bigint NOT NULL
);
CREATE TABLE public.pin_locks (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    pin_hash text NOT NULL COLLATE pg_catalog."C",
    failures bigint NOT NULL,
    locked_until bigint
);
CREATE TABLE public.referral_applications (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    referrer_id text NOT NULL COLLATE pg_catalog."C",
    applied_at bigint NOT NULL
);
CREATE TABLE public.referral_codes (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.referral_credits (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    invited_id text NOT NULL COLLATE pg_catalog."C",
    credited_at bigint NOT NULL
);
CREATE TABLE public.reorganization_moves (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    ord bigint NOT NULL,
    from_folder text NOT NULL COLLATE pg_catalog."C",
    to_folder text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    undone smallint NOT NULL
);
CREATE TABLE public.reorganization_targets (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    icon text NOT NULL COLLATE pg_catalog."C",
    theme text NOT NULL COLLATE pg_catalog."C",
    resolved_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.reorganizations (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    dry_run smallint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    phase text NOT NULL COLLATE pg_catalog."C",
    planned smallint NOT NULL,
    total bigint NOT NULL,
    processed bigint NOT NULL,
    moved bigint NOT NULL,
    skipped bigint NOT NULL,
    created_folders bigint NOT NULL,
    created_themes bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.retired_buckets (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    config text NOT NULL COLLATE pg_catalog."C",
    sealed_secret text COLLATE pg_catalog."C"
);
CREATE TABLE public.saved_views (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    filters text NOT NULL COLLATE pg_catalog."C",
    sort_order text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.schema_versions (
    version integer NOT NULL,
    name text NOT NULL
);
CREATE TABLE public.search_entries (
    number bigint NOT NULL,
    owner_no integer NOT NULL,
    object_id text NOT NULL,
    zone text NOT NULL,
    kind text NOT NULL,
    doc_type text NOT NULL,
    collection_id text,
    created_at bigint NOT NULL,
    passages integer NOT NULL,
    terms integer NOT NULL
);
CREATE SEQUENCE public.search_entries_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.search_entries_number_seq OWNED BY public.search_entries.number;
CREATE TABLE public.search_owners (
    owner_no integer NOT NULL,
    tenant_id text NOT NULL,
    owner_id text NOT NULL
);
CREATE SEQUENCE public.search_owners_owner_no_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.search_owners_owner_no_seq OWNED BY public.search_owners.owner_no;
CREATE TABLE public.search_passages (
    number bigint NOT NULL,
    char_start integer NOT NULL,
    char_end integer NOT NULL,
    terms text NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.search_terms (
    number bigint NOT NULL,
    terms tsvector NOT NULL
)
WITH (toast_tuple_target='128');
ALTER TABLE ONLY public.search_terms ALTER COLUMN terms SET STORAGE EXTERNAL;
CREATE TABLE public.search_totals (
    owner_no integer NOT NULL,
    zone text NOT NULL,
    objects bigint NOT NULL,
    passages bigint NOT NULL,
    terms bigint NOT NULL
);
CREATE TABLE public.security_events (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    actor_kind text NOT NULL COLLATE pg_catalog."C",
    actor_id text NOT NULL COLLATE pg_catalog."C",
    actor_name text NOT NULL COLLATE pg_catalog."C",
    network text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    detail text NOT NULL COLLATE pg_catalog."C",
    object_id text COLLATE pg_catalog."C",
    previous_digest text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    facts text COLLATE pg_catalog."C"
);
CREATE TABLE public.sessions (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    method text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    signed_in_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    network text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.settings (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    auto_rename_mode text NOT NULL COLLATE pg_catalog."C",
    calendar_reminders_messenger smallint NOT NULL,
    chat_memory smallint NOT NULL,
    proactive smallint NOT NULL,
    timezone text NOT NULL COLLATE pg_catalog."C",
    ui text NOT NULL COLLATE pg_catalog."C",
    prefs text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.share_accesses (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    share_id text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.share_password_attempts (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    share_id text NOT NULL COLLATE pg_catalog."C",
    visitor text NOT NULL COLLATE pg_catalog."C",
    attempt_times text NOT NULL COLLATE pg_catalog."C",
    reserved_at bigint,
    expires_at bigint NOT NULL
);
CREATE TABLE public.shares (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    resource_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    prefix text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    password_hash text COLLATE pg_catalog."C",
    expires_at bigint,
    access_count bigint NOT NULL,
    upload_count bigint NOT NULL,
    uploaded_bytes bigint DEFAULT 0 NOT NULL,
    max_upload_bytes bigint DEFAULT 1073741824 NOT NULL,
    max_upload_files bigint DEFAULT 500 NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.sign_in_attempts (
    account text NOT NULL COLLATE pg_catalog."C",
    network text NOT NULL COLLATE pg_catalog."C",
    attempt_times text NOT NULL COLLATE pg_catalog."C",
    reserved_at bigint,
    expires_at bigint NOT NULL
);
CREATE TABLE public.storage_migration_failures (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    blob_id text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    is_final smallint NOT NULL,
    reason text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.storage_migrations (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    direction text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    cancel_requested smallint NOT NULL,
    error text NOT NULL COLLATE pg_catalog."C",
    started_at bigint NOT NULL,
    finished_at bigint
);
CREATE TABLE public.tasks (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    due_at bigint NOT NULL,
    lease_until bigint,
    claimable_at bigint,
    error text COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.tenants (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.text_corrections (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    saved_at bigint NOT NULL,
    language text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.themes (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    name_fold text NOT NULL COLLATE pg_catalog."C",
    icon text NOT NULL COLLATE pg_catalog."C",
    is_hidden smallint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.thumbnails (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    longest_side bigint NOT NULL,
    content_hash text NOT NULL COLLATE pg_catalog."C",
    blob_id text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.tokens (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    prefix text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    access text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint,
    scopes text COLLATE pg_catalog."C",
    folder_ids text COLLATE pg_catalog."C",
    last_used_at bigint,
    last_used_network text COLLATE pg_catalog."C"
);
CREATE TABLE public.unlock_tokens (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.upload_parts (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    upload_id text NOT NULL COLLATE pg_catalog."C",
    start_at bigint NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.uploads (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    filename text NOT NULL COLLATE pg_catalog."C",
    metadata text NOT NULL COLLATE pg_catalog."C",
    folder text NOT NULL COLLATE pg_catalog."C",
    on_duplicate text NOT NULL COLLATE pg_catalog."C",
    folder_path text NOT NULL COLLATE pg_catalog."C",
    drop_id text NOT NULL COLLATE pg_catalog."C",
    drop_name text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    received bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    progress_at bigint NOT NULL
);
CREATE TABLE public.versions (
    owner_id text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    mime text NOT NULL COLLATE pg_catalog."C",
    format text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    sha256 text NOT NULL COLLATE pg_catalog."C",
    blob_id text NOT NULL COLLATE pg_catalog."C",
    origin text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
ALTER TABLE ONLY public.search_entries ALTER COLUMN number SET DEFAULT nextval('public.search_entries_number_seq'::regclass);
ALTER TABLE ONLY public.search_owners ALTER COLUMN owner_no SET DEFAULT nextval('public.search_owners_owner_no_seq'::regclass);
ALTER TABLE ONLY public.active_agent_roles
    ADD CONSTRAINT active_agent_roles_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.agent_confirmations
    ADD CONSTRAINT agent_confirmations_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.agent_roles
    ADD CONSTRAINT agent_roles_pkey PRIMARY KEY (owner_id, slug);
ALTER TABLE ONLY public.agent_undos
    ADD CONSTRAINT agent_undos_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.blob_locations
    ADD CONSTRAINT blob_locations_pkey PRIMARY KEY (owner_id, copy_id);
ALTER TABLE ONLY public.bot_chat_migrations
    ADD CONSTRAINT bot_chat_migrations_pkey PRIMARY KEY (owner_id, bot_id, from_chat_id);
ALTER TABLE ONLY public.bot_chats
    ADD CONSTRAINT bot_chats_pkey PRIMARY KEY (owner_id, bot_id, chat_id);
ALTER TABLE ONLY public.bot_members
    ADD CONSTRAINT bot_members_pkey PRIMARY KEY (owner_id, bot_id, chat_id, user_id);
ALTER TABLE ONLY public.bot_updates
    ADD CONSTRAINT bot_updates_pkey PRIMARY KEY (owner_id, bot_id, update_id);
ALTER TABLE ONLY public.bots
    ADD CONSTRAINT bots_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.bulk_counts
    ADD CONSTRAINT bulk_counts_pkey PRIMARY KEY (owner_id, run_id, is_hidden, outcome);
ALTER TABLE ONLY public.bulk_items
    ADD CONSTRAINT bulk_items_pkey PRIMARY KEY (owner_id, run_id, object_id);
ALTER TABLE ONLY public.bulk_runs
    ADD CONSTRAINT bulk_runs_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.calendar_events
    ADD CONSTRAINT calendar_events_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.calendar_exceptions
    ADD CONSTRAINT calendar_exceptions_pkey PRIMARY KEY (owner_id, event_id, original);
ALTER TABLE ONLY public.calendars
    ADD CONSTRAINT calendars_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.chat_messages
    ADD CONSTRAINT chat_messages_pkey PRIMARY KEY (owner_id, session_id, seq);
ALTER TABLE ONLY public.chat_objects
    ADD CONSTRAINT chat_objects_pkey PRIMARY KEY (owner_id, session_id, object_id);
ALTER TABLE ONLY public.chat_sessions
    ADD CONSTRAINT chat_sessions_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.collections
    ADD CONSTRAINT collections_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_blob_id_key UNIQUE (blob_id);
ALTER TABLE ONLY public.contents
    ADD CONSTRAINT contents_pkey PRIMARY KEY (owner_id, sha256);
ALTER TABLE ONLY public.deletion_holds
    ADD CONSTRAINT deletion_holds_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.enrichments
    ADD CONSTRAINT enrichments_pkey PRIMARY KEY (owner_id, object_id);
ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_pkey PRIMARY KEY (owner_id, record_key);
ALTER TABLE ONLY public.image_operations
    ADD CONSTRAINT image_operations_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.import_runs
    ADD CONSTRAINT import_runs_owner_id_request_key_key UNIQUE (owner_id, request_key);
ALTER TABLE ONLY public.import_runs
    ADD CONSTRAINT import_runs_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.integrations
    ADD CONSTRAINT integrations_pkey PRIMARY KEY (owner_id, kind);
ALTER TABLE ONLY public.known_clients
    ADD CONSTRAINT known_clients_pkey PRIMARY KEY (owner_id, network, client);
ALTER TABLE ONLY public.link_previews
    ADD CONSTRAINT link_previews_pkey PRIMARY KEY (owner_id, object_id);
ALTER TABLE ONLY public.list_counts
    ADD CONSTRAINT list_counts_pkey PRIMARY KEY (owner_id, list, part);
ALTER TABLE ONLY public.monthly_usage
    ADD CONSTRAINT monthly_usage_pkey PRIMARY KEY (owner_id, month, metric);
ALTER TABLE ONLY public.notification_states
    ADD CONSTRAINT notification_states_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.object_categories
    ADD CONSTRAINT object_categories_pkey PRIMARY KEY (owner_id, category, trashed, is_hidden, created_at, object_id);
ALTER TABLE ONLY public.object_counts
    ADD CONSTRAINT object_counts_pkey PRIMARY KEY (owner_id, folder, trashed, is_hidden, kind, doc_type, text_state, status, suggested);
ALTER TABLE ONLY public.object_texts
    ADD CONSTRAINT object_texts_pkey PRIMARY KEY (owner_id, object_id);
ALTER TABLE ONLY public.objects
    ADD CONSTRAINT objects_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.office_sessions
    ADD CONSTRAINT office_sessions_pkey PRIMARY KEY (owner_id, object_id, document_key);
ALTER TABLE ONLY public.oidc_links
    ADD CONSTRAINT oidc_links_issuer_subject_key UNIQUE (issuer, subject);
ALTER TABLE ONLY public.oidc_links
    ADD CONSTRAINT oidc_links_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.one_time_secrets
    ADD CONSTRAINT one_time_secrets_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.owner_usage
    ADD CONSTRAINT owner_usage_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.owners
    ADD CONSTRAINT owners_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.passwords
    ADD CONSTRAINT passwords_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.pin_locks
    ADD CONSTRAINT pin_locks_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.referral_applications
    ADD CONSTRAINT referral_applications_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.referral_codes
    ADD CONSTRAINT referral_codes_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.referral_credits
    ADD CONSTRAINT referral_credits_pkey PRIMARY KEY (owner_id, invited_id);
ALTER TABLE ONLY public.reorganization_moves
    ADD CONSTRAINT reorganization_moves_pkey PRIMARY KEY (owner_id, run_id, object_id);
ALTER TABLE ONLY public.reorganization_targets
    ADD CONSTRAINT reorganization_targets_pkey PRIMARY KEY (owner_id, run_id, id);
ALTER TABLE ONLY public.reorganizations
    ADD CONSTRAINT reorganizations_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.retired_buckets
    ADD CONSTRAINT retired_buckets_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.schema_versions
    ADD CONSTRAINT schema_versions_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.search_entries
    ADD CONSTRAINT search_entries_owner_no_object_id_unique UNIQUE (owner_no, object_id);
ALTER TABLE ONLY public.search_entries
    ADD CONSTRAINT search_entries_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.search_owners
    ADD CONSTRAINT search_owners_pkey PRIMARY KEY (owner_no);
ALTER TABLE ONLY public.search_owners
    ADD CONSTRAINT search_owners_tenant_id_owner_id_unique UNIQUE (tenant_id, owner_id);
ALTER TABLE ONLY public.search_passages
    ADD CONSTRAINT search_passages_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.search_terms
    ADD CONSTRAINT search_terms_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.search_totals
    ADD CONSTRAINT search_totals_pkey PRIMARY KEY (owner_no, zone);
ALTER TABLE ONLY public.security_events
    ADD CONSTRAINT security_events_pkey PRIMARY KEY (owner_id, seq);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.share_accesses
    ADD CONSTRAINT share_accesses_pkey PRIMARY KEY (owner_id, share_id, digest);
ALTER TABLE ONLY public.share_password_attempts
    ADD CONSTRAINT share_password_attempts_pkey PRIMARY KEY (owner_id, share_id, visitor);
ALTER TABLE ONLY public.shares
    ADD CONSTRAINT shares_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (account, network);
ALTER TABLE ONLY public.storage_migration_failures
    ADD CONSTRAINT storage_migration_failures_pkey PRIMARY KEY (owner_id, blob_id);
ALTER TABLE ONLY public.storage_migrations
    ADD CONSTRAINT storage_migrations_pkey PRIMARY KEY (owner_id);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_name_key UNIQUE (name);
ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.text_corrections
    ADD CONSTRAINT text_corrections_pkey PRIMARY KEY (owner_id, object_id);
ALTER TABLE ONLY public.themes
    ADD CONSTRAINT themes_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.thumbnails
    ADD CONSTRAINT thumbnails_blob_id_key UNIQUE (blob_id);
ALTER TABLE ONLY public.thumbnails
    ADD CONSTRAINT thumbnails_pkey PRIMARY KEY (owner_id, object_id, longest_side);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_prefix_key UNIQUE (prefix);
ALTER TABLE ONLY public.unlock_tokens
    ADD CONSTRAINT unlock_tokens_pkey PRIMARY KEY (owner_id, digest);
ALTER TABLE ONLY public.upload_parts
    ADD CONSTRAINT upload_parts_pkey PRIMARY KEY (owner_id, upload_id, start_at);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY (owner_id, object_id, version);
CREATE UNIQUE INDEX agent_roles_by_id ON public.agent_roles USING btree (owner_id, id);
CREATE INDEX agent_roles_by_time ON public.agent_roles USING btree (owner_id, created_at, id);
CREATE INDEX agent_undos_by_expiry ON public.agent_undos USING btree (expires_at, owner_id) WHERE (expires_at IS NOT NULL);
CREATE INDEX agent_undos_of_session ON public.agent_undos USING btree (owner_id, session_id);
CREATE INDEX blob_locations_by_copy ON public.blob_locations USING btree (copy_id);
CREATE INDEX blob_locations_by_location ON public.blob_locations USING btree (owner_id, location);
CREATE UNIQUE INDEX blob_locations_current ON public.blob_locations USING btree (owner_id, blob_id) WHERE (state = 'current'::text);
CREATE INDEX blob_locations_of_blob ON public.blob_locations USING btree (blob_id);
CREATE INDEX blob_locations_unfinished ON public.blob_locations USING btree (owner_id, created_at, copy_id) WHERE (state <> 'current'::text);
CREATE INDEX bot_chat_migrations_by_target ON public.bot_chat_migrations USING btree (owner_id, bot_id, to_chat_id);
CREATE INDEX bot_chats_absent ON public.bot_chats USING btree (owner_id, bot_id, last_update_at) WHERE (is_present = 0);
CREATE INDEX bot_chats_due ON public.bot_chats USING btree (owner_id, bot_id, sync_due_at, chat_id) WHERE (is_present = 1);
CREATE INDEX bot_members_absent ON public.bot_members USING btree (owner_id, bot_id, last_update_at) WHERE (is_present = 0);
CREATE INDEX bot_updates_by_time ON public.bot_updates USING btree (owner_id, bot_id, received_at);
CREATE UNIQUE INDEX bots_by_account ON public.bots USING btree (platform, account_id);
CREATE UNIQUE INDEX bots_by_id ON public.bots USING btree (id);
CREATE INDEX bound_chats ON public.chat_sessions USING btree (owner_id, pinned, updated_at, id) WHERE (bound_to IS NOT NULL);
CREATE INDEX bulk_items_in_order ON public.bulk_items USING btree (owner_id, run_id, outcome, ord);
CREATE INDEX bulk_items_of_object ON public.bulk_items USING btree (owner_id, object_id);
CREATE INDEX bulk_runs_by_age ON public.bulk_runs USING btree (owner_id, is_background, created_at, id);
CREATE INDEX calendar_events_by_number ON public.calendar_events USING btree (owner_id, number);
CREATE INDEX calendar_events_by_reach ON public.calendar_events USING btree (owner_id, reach_until, id, reach_from);
CREATE UNIQUE INDEX calendar_events_by_uid ON public.calendar_events USING btree (owner_id, uid);
CREATE INDEX calendar_events_due ON public.calendar_events USING btree (next_reminder_at) WHERE (next_reminder_at IS NOT NULL);
CREATE INDEX calendar_exceptions_by_original ON public.calendar_exceptions USING btree (owner_id, original);
CREATE INDEX calendar_exceptions_by_span ON public.calendar_exceptions USING btree (owner_id, span_until, span_from) WHERE (span_until IS NOT NULL);
CREATE UNIQUE INDEX calendars_by_feed ON public.calendars USING btree (feed) WHERE (feed IS NOT NULL);
CREATE INDEX chat_objects_by_object ON public.chat_objects USING btree (owner_id, object_id, session_id);
CREATE INDEX chat_objects_hidden ON public.chat_objects USING btree (owner_id, session_id) WHERE (is_hidden = 1);
CREATE INDEX chat_questions ON public.chat_messages USING btree (owner_id, created_at, id) WHERE (role = 'user'::text);
CREATE INDEX chats_by_folder ON public.chat_sessions USING btree (owner_id, folder, pinned, updated_at, id);
CREATE INDEX chats_by_kind ON public.chat_sessions USING btree (owner_id, kind, pinned, updated_at, id);
CREATE INDEX chats_by_time ON public.chat_sessions USING btree (owner_id, pinned, updated_at, id);
CREATE INDEX collections_by_name ON public.collections USING btree (owner_id, name_fold, id);
CREATE UNIQUE INDEX collections_by_theme ON public.collections USING btree (owner_id, theme, name_fold);
CREATE INDEX idempotency_records_by_expiry ON public.idempotency_records USING btree (expires_at, owner_id);
CREATE INDEX idempotency_records_by_owner ON public.idempotency_records USING btree (owner_id, expires_at);
CREATE INDEX image_operations_in_order ON public.image_operations USING btree (owner_id, ended, ord);
CREATE INDEX image_operations_of_object ON public.image_operations USING btree (owner_id, object_id, ended, ord);
CREATE INDEX import_runs_by_age ON public.import_runs USING btree (owner_id, created_at, id);
CREATE INDEX notifications_by_time ON public.notifications USING btree (owner_id, created_at, id);
CREATE INDEX notifications_by_visibility ON public.notifications USING btree (owner_id, is_hidden, created_at, id);
CREATE INDEX notifications_of_object ON public.notifications USING btree (owner_id, object_id);
CREATE INDEX notifications_unread ON public.notifications USING btree (owner_id, created_at, id) WHERE (read_at IS NULL);
CREATE INDEX objects_by_doc_type ON public.objects USING btree (owner_id, trashed, is_hidden, doc_type, created_at, id, kind);
CREATE INDEX objects_by_folder ON public.objects USING btree (owner_id, trashed, is_hidden, folder, created_at, id, kind, doc_type);
CREATE INDEX objects_by_folder_and_kind ON public.objects USING btree (owner_id, trashed, is_hidden, folder, kind, created_at, id, doc_type);
CREATE INDEX objects_by_folder_and_type ON public.objects USING btree (owner_id, trashed, is_hidden, folder, doc_type, created_at, id, kind);
CREATE INDEX objects_by_hash ON public.objects USING btree (owner_id, content_hash, trashed, created_at, id);
CREATE INDEX objects_by_kind ON public.objects USING btree (owner_id, trashed, is_hidden, kind, created_at, id, text_state);
CREATE INDEX objects_by_kind_and_type ON public.objects USING btree (owner_id, trashed, is_hidden, kind, doc_type, created_at, id);
CREATE INDEX objects_by_name ON public.objects USING btree (owner_id, trashed, is_hidden, name_key, id, created_at, folder, kind, doc_type, status, suggested, text_state);
CREATE INDEX objects_by_size ON public.objects USING btree (owner_id, trashed, is_hidden, size, id, created_at, folder, kind, doc_type, status, suggested, text_state);
CREATE INDEX objects_by_status ON public.objects USING btree (owner_id, trashed, is_hidden, status, created_at, id, kind, doc_type, folder);
CREATE INDEX objects_by_suggestion ON public.objects USING btree (owner_id, trashed, is_hidden, suggested, created_at, id, kind, doc_type, folder);
CREATE INDEX objects_by_time ON public.objects USING btree (owner_id, trashed, is_hidden, created_at, id, folder, kind, doc_type, status, suggested, text_state);
CREATE INDEX objects_by_update ON public.objects USING btree (owner_id, trashed, is_hidden, updated_at, id, created_at, folder, kind, doc_type, status, suggested, text_state);
CREATE INDEX objects_in_folder ON public.objects USING btree (owner_id, folder, id);
CREATE INDEX objects_in_trash ON public.objects USING btree (deleted_at, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX office_sessions_by_use ON public.office_sessions USING btree (owner_id, used_at);
CREATE INDEX one_time_secrets_by_expiry ON public.one_time_secrets USING btree (purpose, expires_at, digest);
CREATE INDEX one_time_secrets_of_owner ON public.one_time_secrets USING btree (owner_id, purpose);
CREATE INDEX owners_by_time ON public.owners USING btree (created_at, id);
CREATE INDEX passwords_by_name ON public.passwords USING btree (folded_name, set_at, owner_id);
CREATE UNIQUE INDEX referral_codes_by_code ON public.referral_codes USING btree (code);
CREATE INDEX reorganization_moves_in_order ON public.reorganization_moves USING btree (owner_id, run_id, state, ord);
CREATE INDEX reorganization_moves_of_object ON public.reorganization_moves USING btree (owner_id, object_id);
CREATE INDEX search_entries_owner_no_collection_id_index ON public.search_entries USING btree (owner_no, collection_id);
CREATE INDEX search_terms_gin ON public.search_terms USING gin (terms);
CREATE INDEX security_events_by_kind ON public.security_events USING btree (owner_id, kind, seq);
CREATE INDEX security_events_by_time ON public.security_events USING btree (at, owner_id);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at, owner_id);
CREATE INDEX sessions_by_last_use ON public.sessions USING btree (last_used_at, owner_id);
CREATE INDEX sessions_by_use ON public.sessions USING btree (owner_id, last_used_at, id);
CREATE INDEX share_accesses_by_expiry ON public.share_accesses USING btree (owner_id, expires_at);
CREATE INDEX share_password_attempts_by_expiry ON public.share_password_attempts USING btree (owner_id, expires_at);
CREATE UNIQUE INDEX shares_by_digest ON public.shares USING btree (digest);
CREATE INDEX shares_by_resource ON public.shares USING btree (owner_id, resource_id);
CREATE INDEX shares_by_time ON public.shares USING btree (owner_id, created_at, id);
CREATE INDEX sign_in_attempts_by_expiry ON public.sign_in_attempts USING btree (expires_at);
CREATE INDEX tasks_by_id ON public.tasks USING btree (id);
CREATE INDEX tasks_by_subject ON public.tasks USING btree (owner_id, subject);
CREATE INDEX tasks_due ON public.tasks USING btree (claimable_at, id) WHERE (claimable_at IS NOT NULL);
CREATE INDEX themes_by_name ON public.themes USING btree (owner_id, name_fold, id);
CREATE INDEX tokens_by_time ON public.tokens USING btree (owner_id, created_at, id);
CREATE INDEX uploads_by_progress ON public.uploads USING btree (progress_at, owner_id);
CREATE INDEX uploads_of_drop ON public.uploads USING btree (owner_id, drop_name, progress_at);
CREATE INDEX uploads_open ON public.uploads USING btree (owner_id) WHERE (state = 'open'::text);
ALTER TABLE ONLY public.owners
    ADD CONSTRAINT owners_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id);
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
insert into search_terms (number, terms) values
  (0, '''lamp0'':1'),
  (1, '''lamp1'':1');
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
