import type { ServerResponse } from 'node:http';
import { chunk, streaming, type Asked } from '../fake-model-server.ts';
import type { Page } from 'playwright-core';
import type { Served } from '../http/harness.ts';
import type { AppTab } from './app-fixture.ts';

/** A model that speaks piece by piece, when the spec says so. */
export interface PacedModel {
  readonly play: (response: ServerResponse, requested: Asked) => void;
  /** Sends one piece of the answer that is open. */
  say(text: string): void;
  finish(): void;
  /** Whether the service has a request open. */
  readonly isOpen: () => boolean;
}

export function pacedModel(): PacedModel {
  let open: ServerResponse | undefined;
  return {
    play: (response) => {
      open = response;
      response.on('close', () => (open = undefined));
      response.writeHead(200, streaming);
      response.flushHeaders();
    },
    say: (content) => void open?.write(chunk({ content })),
    finish: () => {
      open?.write(chunk({}, 'stop'));
      open?.end('data: [DONE]\n\n');
    },
    isOpen: () => open !== undefined,
  };
}

/** Stores a note of the tab's owner and waits until it can be found. */
export async function writeNote(
  service: Served,
  { token }: Pick<AppTab, 'token'>,
  title: string,
  content: string,
  more: object = {},
): Promise<string> {
  const { json } = await service.call('POST', '/v1/objects/notes', {
    token,
    body: { title, content, ...more },
  });
  await service.settled(json.id, { token });
  return json.id;
}

export const TENANCY = `Tenancy agreement

§ 4 The tenant may give notice in writing, at the latest on the third working day of a month, with effect from the end of the month after next. The period stays the same however long the tenancy has lasted. Notice by e-mail is of no effect.

§ 5 The landlord settles the deposit within six months of the return of all keys.`;

export const NOTICE_QUESTION = 'When may the tenant give notice in writing?';

/** Writes a question and sends it. */
export async function askIn(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Ask about your documents' }).fill(question);
  await page.keyboard.press('Enter');
}
