import { dayHour } from './day-hour.ts';
import { welcomeText } from '../../i18n/welcome-text.ts';
import { me } from '../../state/session.ts';
import { timeZone } from '../../state/preferences.ts';
import { Failed } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CameIn, DropTarget } from './first-files.tsx';
import { useFirstDocuments } from './first-documents.ts';
import { useProgress } from './progress.ts';
import { Proposals } from './proposals.tsx';
import { StepsPanel } from './steps-panel.tsx';

/** The owner whom `npm start` creates has no name of a person. */
const UNNAMED = 'me';
const NOON = 12;
const EVENING = 18;

/** The first five minutes: from the link of the terminal to the marked words of a document. */
export default function WelcomeScreen() {
  const text = welcomeText();
  const documents = useFirstDocuments();
  const progress = useProgress();
  const name = me.value?.owner.name ?? UNNAMED;
  const hour = dayHour(new Date(), timeZone.value);
  const { morning, day, evening } = text.greetings;
  const greeting = hour < NOON ? morning : hour < EVENING ? day : evening;
  const items = documents.data?.items ?? [];
  return (
    <Screen
      title={name === UNNAMED ? greeting : text.greeting(greeting, name)}
      sheet="keep"
      panel={
        <StepsPanel
          documents={documents.data}
          progress={progress.data}
          error={progress.error}
          retry={progress.reload}
        />
      }
    >
      <div class="scroll" tabIndex={0} role="region" aria-label={text.firstFiles}>
        <div class="first">
          <DropTarget isLocal={progress.data?.isLocal === true} />
          {documents.error !== undefined && (
            <Failed error={documents.error} retry={documents.reload} />
          )}
          <CameIn items={items} />
          <Proposals items={items} hasModel={progress.data?.hasModel === true} />
        </div>
      </div>
    </Screen>
  );
}
