import { useRoute } from 'preact-iso';
import { useMemo, useRef } from 'preact/hooks';
import { Conversation } from './conversation.tsx';

/** Conversations with the agent. */
export default function AgentScreen() {
  const chatId = useRoute().params['chat'];
  const createdId = useRef<string | undefined>(undefined);
  const key = useRef(0);
  // A conversation that has just been created goes on in the same place: nothing in it is begun anew.
  useMemo(() => {
    if (chatId === undefined || chatId !== createdId.current) key.current++;
    createdId.current = undefined;
  }, [chatId]);
  return (
    <Conversation
      key={key.current}
      chatId={chatId}
      onCreate={(id) => void (createdId.current = id)}
    />
  );
}
