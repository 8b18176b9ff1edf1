import { useResource } from '../data/resource.ts';
import type { components } from '../api/schema.js';

type Item = Pick<components['schemas']['ObjectDetail'], 'error_code' | 'error_fact'>;

/** Why a document has no text. The texts are loaded with the first reason that is shown: few documents have one. */
export function UnreadReason({ of: { error_code: code, error_fact: fact } }: { of: Item }) {
  const { data: words } = useResource('reasons', () => import('./reason-words.ts'));
  return code && words ? <>{words.unreadText(code, fact)}</> : null;
}
