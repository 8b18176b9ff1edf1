import { SERVICE, to } from '../../app/address.ts';
import { t } from '../../i18n/calendar.ts';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Feed } from './feed.tsx';
import { ImportFile } from './import-file.tsx';

/** Takes a calendar in from a file, out to a file, and offers it to other calendars. */
export function ExchangeScreen() {
  const { calendar } = t();
  const { exchangeText: text } = calendar;
  return (
    <Screen
      title={calendar.exchange}
      end={
        <a class="button" href={to('/calendar')}>
          <Icon name="back" flip />
          {text.back}
        </a>
      }
    >
      <div class="scroll">
        <div class="settings">
          <section class="setting" id="in">
            <div>
              <h2>{text.in}</h2>
              <p>{text.inHint}</p>
            </div>
            <ImportFile />
          </section>
          <section class="setting" id="out">
            <div>
              <h2>{text.out}</h2>
              <p>{text.outHint}</p>
            </div>
            <div>
              <a class="button" href={`${SERVICE}/v1/calendar/export`} download="calendar.ics">
                <Icon name="download" />
                {text.save}
              </a>
            </div>
          </section>
          <section class="setting" id="feed">
            <div>
              <h2>{text.feed}</h2>
              <p>{text.feedHint}</p>
            </div>
            <Feed />
          </section>
        </div>
      </div>
    </Screen>
  );
}
