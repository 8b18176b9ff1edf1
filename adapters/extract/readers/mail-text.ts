/** Parts of a mail message as text, equal for all mail formats. */
export type MailHeader = readonly (readonly [name: string, value: string])[];

export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  /** Undefined if the mail does not say it. */
  readonly bytes: number | undefined;
}

export const MAX_ATTACHMENTS = 500;
/** Maximum nesting of messages forwarded as attachments. */
export const MAX_FORWARDED_DEPTH = 5;

export const headerText = (fields: MailHeader): string =>
  fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value.replace(/\s+/gu, ' ').trim()}`)
    .join('\n');

export const addressText = (name: string, address: string): string =>
  name && address && name !== address ? `${name} <${address}>` : name || address;

export function attachmentsText(attachments: readonly MailAttachment[]): string {
  const lines = attachments
    .slice(0, MAX_ATTACHMENTS)
    .map(
      ({ name, type, bytes }) =>
        `- ${name} (${type}${bytes === undefined ? '' : `, ${bytes} bytes`})`,
    );
  return lines.length === 0 ? '' : ['Attachments:', ...lines].join('\n');
}
