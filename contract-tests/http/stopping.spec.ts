import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { chunk, openModelService, streaming, type ModelService } from '../fake-model-server.ts';
import { openStream, told } from './sse-client.ts';
import { eventually, profiles, startService, type Service } from './harness.ts';

for (const profile of profiles)
  describe(`${profile}: a service that is stopped during a model's answer`, function () {
    this.timeout(60_000);
    let service: Service;
    let model: ModelService;
    before(async () => {
      model = await openModelService();
      service = await startService(profile, {
        LLM_URL: `${model.origin}/v1`,
        LLM_MODEL: 'house-70b',
        ANSWER_SECONDS: '60',
      });
      const content = 'The keeper of the lighthouse is Ada.';
      const { json } = await service.call('POST', '/v1/objects/notes', { body: { content } });
      await service.settled(json.id);
    });
    after(async () => {
      await service.dispose();
      await model.close();
    });

    it('sends what arrives in time, reports the error to the others, and exits within ten seconds', async () => {
      const speaking: ServerResponse[] = [];
      model.plays((response) => {
        response.writeHead(200, streaming).write(chunk({ content: 'Ada' }));
        speaking.push(response);
      });
      const begin = async (nth: number) => {
        const stream = await openStream(service, '/v1/ask', { question: `Who keeps it (${nth})?` });
        await eventually(
          () => Promise.resolve(told(stream)),
          (text) => text !== '',
        );
        return stream;
      };
      const [late, endless] = [await begin(1), await begin(2)];
      const exit = once(service.process, 'exit');
      service.process.kill('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      speaking[0]?.end(chunk({ content: ' does.' }, 'stop'));
      await late.ended;
      expect(late.events.at(-1)).to.deep.include({ event: 'done' });
      expect(late.events.at(-1)?.data.answer).to.equal('Ada does.');
      await endless.ended;
      expect(endless.events.at(-1)?.event).to.equal('error');
      expect(endless.events.at(-1)?.data.code).to.equal('unavailable');
      expect(await exit).to.deep.equal([0, null]);
      service = await service.restart();
      const stored = async ({ events }: typeof late) =>
        (await service.call('GET', `/v1/chats/${events[0]?.data.session_id}`)).json.messages.map(
          ({ content, incomplete }: { content: string; incomplete: boolean | null }) => [
            content,
            incomplete,
          ],
        );
      expect(await stored(late)).to.deep.equal([
        ['Who keeps it (1)?', null],
        ['Ada does.', false],
      ]);
      // What came before the stop is stored, and marked.
      expect(await stored(endless)).to.deep.equal([
        ['Who keeps it (2)?', null],
        ['Ada', true],
      ]);
      const { items } = (await service.call('GET', '/v1/usage')).json;
      const questions = items.find(({ metric }: { metric: string }) => metric === 'questions');
      expect(questions.used).to.equal(1);
    });
  });
