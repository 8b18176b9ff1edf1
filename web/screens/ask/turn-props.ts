import type { EngineChoice, Exchange } from '../conversation/exchange.ts';

export interface TurnProps {
  readonly exchange: Exchange;
  readonly chatId: string | undefined;
  readonly folderId: string | null;
  /** Undefined while another answer is written. */
  readonly askAgain: ((exchange: Exchange, engine?: EngineChoice) => void) | undefined;
}
