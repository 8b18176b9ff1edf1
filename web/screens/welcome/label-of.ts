const MAX_LABEL_WORDS = 4;
const MAX_LABEL_LENGTH = 40;

/** `Invoice date: `, from the beginning of a line or of a cell. */
const NAMED = /(?:^|[|\t]|\s{3,})[\s*•–-]*(?<label>\p{L}[\p{L}\p{M} ./'’()-]*?)\s*[:：]\s*$/u;
/** `Amount due   `, a line of its own with nothing but the value behind it. */
const PLAIN = /^\s*(?<label>\p{Lu}[\p{L}\p{M} '’-]*?)[\s.…]*$/u;
/** A sentence that goes on with the value: `Payment is due by`. */
const GOES_ON =
  /(?:^|\s)(?:at|by|from|in|is|of|on|to|until|was|ab|am|auf|bis|ist|sind|vom|von|zum|au|de|du|est|le|les|à|al|del|el|en|es|hasta|в|до|за|к|на|от|по|с)$/iu;

/** What a line calls a value: the words before it, if they are a label and no sentence. */
export function labelOf(text: string, value: string, mayBePlain: boolean): string | undefined {
  const at = text.indexOf(value);
  if (at === -1) return undefined;
  const before = text.slice(text.lastIndexOf('\n', at) + 1, at);
  const end = text.indexOf('\n', at);
  const behind = text.slice(at + value.length, end === -1 ? undefined : end);
  const named = NAMED.exec(before)?.groups?.['label'];
  const isRow = mayBePlain && !/\p{L}/u.test(behind);
  const label = (named ?? (isRow ? PLAIN.exec(before)?.groups?.['label'] : undefined))?.trim();
  if (!label || label.length > MAX_LABEL_LENGTH || GOES_ON.test(label)) return undefined;
  return label.split(/\s+/).length > MAX_LABEL_WORDS ? undefined : label;
}
