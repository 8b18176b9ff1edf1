const WHITE = /^[\s\uFEFF]+/;
const INSTRUCTION = /^<\?[^]*?\?>/;
const COMMENT = /^<!--[^]*?-->/;
const DOCTYPE = /^<!doctype\s+([\w:.-]+)[^[>]*(?:\[[^]*?\]\s*)?>/i;
const ROOT = /^<(?:[\w.-]+:)?([a-z][\w.-]*)[\s/>]/i;

export interface Markup {
  /** The first element without its prefix, or the document type before it, in lower case. */
  readonly root: string;
  /** It begins with `<?xml`. */
  readonly xml: boolean;
}

/** The markup of a text, by its prologue and first element; undefined if it is none. */
export function markupOf(text: string): Markup | undefined {
  let rest = text.replace(WHITE, '');
  const xml = /^<\?xml\s/.test(rest);
  for (;;) {
    const prologue = INSTRUCTION.exec(rest) ?? COMMENT.exec(rest);
    const doctype = prologue ? null : DOCTYPE.exec(rest);
    if (doctype) return { root: doctype[1]!.toLowerCase(), xml };
    if (!prologue) break;
    rest = rest.slice(prologue[0].length).replace(WHITE, '');
  }
  const root = ROOT.exec(rest)?.[1]?.toLowerCase();
  return root === undefined && !xml ? undefined : { root: root ?? '', xml };
}

const MAIL_FIELD =
  /^(from|date|received|return-path|message-id|mime-version|delivered-to|subject|to):/i;

/** Whether a text clearly begins with the header of a mail message (RFC 5322 §3.6). */
export function looksLikeMail(text: string): boolean {
  const seen = new Set<string>();
  for (const line of text.split(/\r?\n/, 200)) {
    if (line === '') break;
    if (/^[ \t]/.test(line)) continue;
    if (!/^[\w-]+:/.test(line)) return false;
    const field = MAIL_FIELD.exec(line)?.[1];
    if (field !== undefined) seen.add(field.toLowerCase());
  }
  const technical = ['received', 'message-id', 'mime-version'].some((field) => seen.has(field));
  return seen.has('from') && seen.has('date') && technical;
}
