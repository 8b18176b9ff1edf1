/** Paths below the app's root, which the build fills in. */
declare const PDF_WORKER_PATH: string;
declare const PDF_DATA_PATH: string;
/** The style sheets that are loaded with their screens: `web/styles/NAME-sheet.css`. */
type StyleName =
  | 'agent'
  | 'calendar'
  | 'connections'
  | 'data'
  | 'notifications'
  | 'picture'
  | 'print'
  | 'shares'
  | 'viewer';
declare const STYLE_PATHS: Readonly<Record<StyleName, string>>;
declare const HASH_WORKER_PATH: string;
declare const SERVICE_WORKER_PATH: string;
