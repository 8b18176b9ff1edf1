import { api } from '../../api/client.ts';
import { lookOf, settings } from '../../state/settings.ts';

/**
 * Where the app begins after signing in: with the first steps, while the workspace is empty and the owner has not put
 * them off. What could not be read decides nothing: the library says why.
 */
export async function landingPath(): Promise<'/welcome' | '/library'> {
  const { value: read } = settings;
  if (!read || lookOf(read).welcome !== undefined) return '/library';
  const { data } = await api.GET('/v1/objects', { params: { query: { limit: 1 } } });
  return data?.total === 0 ? '/welcome' : '/library';
}
