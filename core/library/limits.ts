/** Length limits of a theme or a folder, in code points. */
export const MAX_NAME_LENGTH = 120;
export const MAX_ICON_LENGTH = 64;
export const MAX_DESCRIPTION_LENGTH = 2_000;
