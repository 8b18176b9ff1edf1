/** Length limits of a theme or a folder, in code points. */
export const MAX_NAME_LENGTH = 120;
export const MAX_ICON_LENGTH = 64;
export const MAX_DESCRIPTION_LENGTH = 2_000;
/** Maximum number of saved views per owner. */
export const MAX_VIEWS = 100;
export const MAX_VIEW_POSITION = 1_000_000;
