import { t } from '../../i18n/ask.ts';
import { toast } from '../../ui/toasts.tsx';
import { addressOf, nameOf } from '../conversation/citation-link.ts';
import type { Exchange } from '../conversation/exchange.ts';

/** The answer with its references: what each number cites, where it stands, and its words. */
export function toReferencedText({ question, text, citations }: Exchange): string {
  const references = citations.map((citation) => {
    const page = citation.page ? `, ${t().ask.page(citation.page)}` : '';
    const address = new URL(addressOf(citation), location.origin).href;
    return `[${citation.index}] ${nameOf(citation)}${page}: “${citation.snippet}”\n${address}`;
  });
  return [question, text, ...references].join('\n\n');
}

export async function copyAnswer(exchange: Exchange): Promise<void> {
  try {
    await navigator.clipboard.writeText(toReferencedText(exchange));
    toast(t().ask.copied);
  } catch {
    // The browser has refused it, such as on a page without TLS.
    toast(t().ask.notCopied);
  }
}
