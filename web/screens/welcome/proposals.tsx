import { useLocation } from 'preact-iso';
import { useRef } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { to } from '../../app/address.ts';
import type { ObjectItem } from '../../data/object-list.ts';
import { useResource } from '../../data/resource.ts';
import { language } from '../../i18n/language.ts';
import { welcomeText } from '../../i18n/welcome-text.ts';
import { askAbout } from '../../state/ask-about.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Working } from '../../ui/notice.tsx';
import { MAX_QUESTIONS, questionsOf } from './questions.ts';

/** Documents that are looked into for questions. */
const MAX_DOCUMENTS = 5;

interface Proposed {
  readonly documentId: string;
  readonly questions: readonly string[];
}

interface ProposalsProps {
  readonly items: readonly ObjectItem[];
  readonly hasModel: boolean;
}

/** Questions that the first documents answer. Each begins a conversation about its document. */
export function Proposals({ items, hasModel }: ProposalsProps) {
  const { route } = useLocation();
  const text = welcomeText();
  const read = items.filter(({ status }) => status === 'ready').slice(0, MAX_DOCUMENTS);
  const key = `${language.value} ${read.map(({ id, version }) => `${id} ${version}`).join()}`;
  const { data, error, reload } = useResource(`questions ${key}`, (signal) =>
    proposalsOf(read, signal),
  );
  // Those that are shown stay while another document is looked into, unless theirs is gone.
  const last = useRef<Proposed | undefined>(undefined);
  if (data) last.current = data;
  const shown = data ?? last.current;
  const document = read.find(({ id }) => id === shown?.documentId);
  const ask = (question: string) => {
    if (!document) return;
    const { id, display_name: name } = document;
    askAbout.value = { question, documents: [{ id, name }] };
    route(to('/ask'));
  };
  if (read.length === 0) return null;
  return (
    <section aria-labelledby="ask-first">
      <h2 id="ask-first" class="ask-first">
        {text.askFirst}
      </h2>
      {error !== undefined && <Failed error={error} retry={reload} />}
      {!shown && error === undefined && <Working>{text.preparing}</Working>}
      {data && data.questions.length === 0 && <p class="soft">{text.nothingToAsk}</p>}
      <ul class="next">
        {document &&
          shown?.questions.map((question) => (
            <li key={question}>
              <button type="button" onClick={() => ask(question)}>
                <Icon name="ask" />
                <bdi>{question}</bdi>
                <Icon name="right" small flip />
              </button>
            </li>
          ))}
        <li>
          <a href={to('/ask')}>
            <Icon name="edit" />
            <span>{text.ownQuestion}</span>
            <Icon name="right" small flip />
          </a>
        </li>
      </ul>
      {!hasModel && <p class="soft ask-hint">{text.ownWords}</p>}
    </section>
  );
}

/** The questions of the first document that has enough of them, else of the one that has most. */
async function proposalsOf(
  documents: readonly ObjectItem[],
  signal: AbortSignal,
): Promise<Proposed> {
  let best: Proposed = { documentId: '', questions: [] };
  for (const { id } of documents) {
    const params = { path: { object_id: id } };
    const [{ enrichment }, { data: content }] = await Promise.all([
      reply(api.GET('/v1/objects/{object_id}', { params, signal })),
      // A document without text has none.
      api.GET('/v1/objects/{object_id}/text', { params, signal }),
    ]);
    if (!enrichment || !content) continue;
    const questions = questionsOf(enrichment, content.text, language.peek());
    if (questions.length > best.questions.length) best = { documentId: id, questions };
    if (best.questions.length >= MAX_QUESTIONS) break;
  }
  return best;
}
