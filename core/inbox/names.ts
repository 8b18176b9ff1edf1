/** Endings of downloads and copies that are not complete. */
const PARTIAL = /\.(?:part|partial|filepart|crdownload|download|opdownload|tmp|swp|!qb|!ut)$/i;
/** Locks of office programs, and files that systems add to folders. */
const BESIDE = /^(?:~\$|\.~lock\.)|^(?:thumbs\.db|desktop\.ini)$/i;

/** Hidden files and folders, among them `.taken` and `.refused`, and files that a program is still working on. */
export const isLeftAlone = (name: string): boolean =>
  name.startsWith('.') || PARTIAL.test(name) || BESIDE.test(name);
