import type { DialectTypes } from '../migration.ts';

/** Tables that belong to objects: versions, contents, extracted text, enrichment, link previews and thumbnails. */
export const contentTables = ({ text, int, clustered, heap }: DialectTypes) => [
  `create table versions (
    owner_id ${text} not null,
    object_id ${text} not null,
    version ${int} not null,
    kind ${text} not null,
    mime ${text} not null,
    format ${text} not null,
    size ${int} not null,
    sha256 ${text} not null,
    blob_id ${text} not null,
    origin ${text} not null,
    created_at ${int} not null,
    primary key (owner_id, object_id, version)
  )${clustered}`,
  `create table contents (
    owner_id ${text} not null,
    sha256 ${text} not null,
    size ${int} not null,
    blob_id ${text} not null unique,
    refs ${int} not null,
    primary key (owner_id, sha256)
  )${clustered}`,
  `create table object_texts (
    owner_id ${text} not null,
    object_id ${text} not null,
    version ${int} not null,
    source ${text} not null,
    language ${text} not null,
    text ${text} not null,
    pages ${text} not null,
    primary key (owner_id, object_id)
  )${heap}`,
  `create table text_corrections (
    owner_id ${text} not null,
    object_id ${text} not null,
    text ${text} not null,
    saved_at ${int} not null,
    language ${text} not null default '',
    primary key (owner_id, object_id)
  )${heap}`,
  `create table enrichments (
    owner_id ${text} not null,
    object_id ${text} not null,
    version ${int} not null,
    model ${text} not null,
    language ${text} not null,
    title ${text} not null,
    description ${text} not null,
    summary ${text} not null,
    doc_type ${text} not null,
    keywords ${text} not null,
    entities ${text} not null,
    primary key (owner_id, object_id)
  )${heap}`,
  `create table link_previews (
    owner_id ${text} not null,
    object_id ${text} not null,
    final_url ${text} not null,
    title ${text} not null,
    site_name ${text} not null,
    description ${text} not null,
    image_sha256 ${text},
    image_blob_id ${text},
    image_size ${int},
    image_mime ${text},
    fetched_at ${int} not null,
    primary key (owner_id, object_id)
  )${heap}`,
  // A cache: any row may be deleted and made again.
  `create table thumbnails (
    owner_id ${text} not null,
    object_id ${text} not null,
    longest_side ${int} not null,
    content_hash ${text} not null,
    blob_id ${text} not null unique,
    sha256 ${text} not null,
    size ${int} not null,
    created_at ${int} not null,
    primary key (owner_id, object_id, longest_side)
  )${clustered}`,
];
