/** Names may contain marks that turn the direction of text; the message around the name is not turned by them. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
