import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { deleteChat } from '../../data/chats.ts';
import { t } from '../../i18n/language.ts';
import { isLeftChat, whileNoneBegins } from '../../state/zone-chats.ts';
import { whileUnlocked } from '../../state/zone-token.ts';
import { toast } from '../../ui/toasts.tsx';

const PAGE = 100;

/**
 * Deletes the conversations of the zone that a tab has left: it was closed before it could delete them. They are hidden, so
 * they are seen again only now. A failure is reported: the owner was promised that they are deleted, and may do it by hand.
 */
export async function removeLeftChats(): Promise<void> {
  try {
    await deleteLeft();
  } catch {
    // A zone that has locked meanwhile ends the requests, and leaves no word of itself.
    if (whileUnlocked()) toast(t().hidden.chatsLeft);
  }
}

const deleteLeft = (): Promise<void> =>
  whileNoneBegins(async () => {
    const query = { hidden_only: true, limit: PAGE };
    const { items } = await reply(api.GET('/v1/chats', { params: { query } }));
    for (const { id } of items) if (await isLeftChat(id)) await deleteChat(id);
  });
