/** Size of a part: what a crash can cost at most, apart from what arrived in the last seconds. */
export const MAX_PART_BYTES = 8 * 2 ** 20;
/** A slow client's bytes become durable at least this often, as long as some arrive. */
export const MAX_PART_MS = 5_000;
/** An upload expires when it has received nothing for this long. */
export const UPLOAD_LIFETIME_MS = 24 * 3_600_000;
/** Unfinished uploads of an owner. */
export const MAX_OPEN_UPLOADS = 1_000;
/** Levels of folders above a file. */
export const MAX_FOLDER_LEVELS = 32;
/** Uploads of one top folder belong to one drop while any of them progresses within this time. */
export const DROP_PAUSE_MS = 600_000;
