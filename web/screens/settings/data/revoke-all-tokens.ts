import { api } from '../../../api/client.ts';
import { ApiError, reply } from '../../../api/errors.ts';
import { noteChange } from '../../../data/live.ts';

const PAGE = 100;

/** Revokes every token, page by page, and returns their number. One that is gone meanwhile does not stop the others. */
export async function revokeAllTokens(): Promise<number> {
  let revoked = 0;
  try {
    for (;;) {
      const params = { query: { limit: PAGE } };
      const { items } = await reply(api.GET('/v1/tokens', { params }));
      if (items.length === 0) return revoked;
      for (const { id } of items) if (await revoke(id)) revoked++;
    }
  } finally {
    noteChange('access');
  }
}

/** Whether it was still there. */
async function revoke(id: string): Promise<boolean> {
  try {
    const params = { path: { token_id: id } };
    await reply(api.DELETE('/v1/tokens/{token_id}', { params }));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
