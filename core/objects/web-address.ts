const MAX_LENGTH = 2_083;

const PRINTABLE_ASCII = /^[!-~]+$/;
/** Normal form (WHATWG URL §4.5) of an `http` or `https` address: a host, a port of digits, a path. */
const WEB_ADDRESS =
  /^https?:\/\/(?:[^/?#@\\]*@)?(?:\[[0-9a-f:.]+\]|[^/?#@:[\]\\<>^|%"`{}]+)(?::\d{1,5})?\//;

/**
 * Whether a text can be stored as the URL of a page. The HTTP adapter normalises every URL before it is stored, so a
 * text in any other form was not stored by this service.
 */
export const isWebAddress = (text: string): boolean =>
  text.length <= MAX_LENGTH && PRINTABLE_ASCII.test(text) && WEB_ADDRESS.test(text);
