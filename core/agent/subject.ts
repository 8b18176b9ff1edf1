import type { ToolName } from '../../ports/agent-tools.ts';
import type { Subject } from '../conversations/index.ts';
import type { Claims } from './grounding.ts';

/** What a checked call of a tool that changes something is about: the claims have read the names of its ids. */
export function subjectOf(
  tool: ToolName,
  claims: Claims,
  given: Readonly<Record<string, unknown>>,
): Subject {
  const all = Object.values(claims);
  const folder = all.find((claim) => claim.kind === 'folder');
  return {
    objects: all.flatMap((claim) =>
      claim.kind === 'object' ? [{ id: claim.id, filename: claim.filename }] : [],
    ),
    folder: folder ? { id: folder.id, name: folder.value } : null,
    event:
      tool === 'create_event'
        ? {
            title: String(given['title']),
            starts_at: String(given['starts_at']),
            ends_at: String(given['ends_at']),
          }
        : null,
  };
}
