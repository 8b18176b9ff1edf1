import { t as ofConversations } from './ask.ts';
import { loadTexts } from './load-texts.ts';
import type { AgentText } from './messages.ts';

const own = await loadTexts<{ readonly agent: AgentText }>({
  en: () => import('./en/agent.ts'),
  de: () => import('./de/agent.ts'),
  fr: () => import('./fr/agent.ts'),
  es: () => import('./es/agent.ts'),
  ru: () => import('./ru/agent.ts'),
  zh: () => import('./zh/agent.ts'),
});

/** The messages of the first page, those of all conversations, and those of this screen. */
export const t = () => ({ ...ofConversations(), agent: own().agent });
