/** RFC 9110 §8.3.1: two tokens of at most 127 characters (RFC 6838 §4.2), here without parameters. */
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~a-z0-9-]{1,127}\/[!#$%&'*+.^_`|~a-z0-9-]{1,127}$/i;

/** Whether a text can be stored as the media type of a content, and sent in a header. */
export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text);

const FORMAT = /^(?:[a-z0-9][a-z0-9+_.-]{0,31})?$/;

/** Whether a text can be the canonical extension of a content; '' says that it is unknown. */
export const isFormat = (text: string): boolean => FORMAT.test(text);
