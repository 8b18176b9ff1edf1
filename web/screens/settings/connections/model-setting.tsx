import { hostOf } from '../../../data/own-network.ts';
import { t } from '../../../i18n/connections.ts';
import { useAttempt } from '../attempt.tsx';
import { Setting } from '../setting.tsx';
import { switchTo } from './connection-buttons.tsx';
import { check, type Connections } from './connection.ts';
import { ModelForm } from './model-form.tsx';
import { OperatorModel } from './operator-model.tsx';
import { Outcome } from './outcome.tsx';
import { Problem } from './refusals.tsx';

/** The model that answers in the owner's name. */
export function ModelSetting({ card }: { card: Connections['model'] }) {
  const { connections: text } = t();
  const attempt = useAttempt();
  const saving = useAttempt();
  const isTrying = attempt.isBusy || saving.isBusy;
  const switchOn = async () => {
    await switchTo('llm', true);
    // Switching on checks nothing by itself.
    await check('llm');
  };
  return (
    <Setting title={text.kinds.llm} hint={text.modelHint}>
      <Outcome
        card={card}
        host={hostOf(card.of?.base_url ?? '')}
        works={
          <>
            <b>{text.answers}</b> {card.of?.model}
          </>
        }
        isTrying={isTrying}
        onTry={() => void attempt.run(() => check('llm'))}
      />
      {card.status === 'ok' &&
        card.notes?.map(({ code }) => (
          <p key={code} class="soft">
            {text.notes[code]}
          </p>
        ))}
      {card.waiting_documents !== undefined && (
        <p class="soft">{text.waitingDocuments(card.waiting_documents)}</p>
      )}
      {!card.enabled && <OperatorModel />}
      <Problem error={attempt.error ?? saving.error} />
      <ModelForm card={card} attempt={saving} onSwitchOn={() => void attempt.run(switchOn)} />
    </Setting>
  );
}
