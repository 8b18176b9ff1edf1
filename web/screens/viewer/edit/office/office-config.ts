import { api } from '../../../../api/client.ts';
import { reply } from '../../../../api/errors.ts';
import type { components } from '../../../../api/schema.js';
import { language } from '../../../../i18n/language.ts';

export type OfficeConfig = components['schemas']['OfficeConfig'];
export type OffReason = Exclude<OfficeConfig['reason'], ''>;

/** Below this width the editor has its form for phones. */
const PHONE = '(max-width: 43.7rem)';

/** The signed configuration for the current version, or why the editor can not be opened. */
export const readOfficeConfig = (id: string, signal: AbortSignal): Promise<OfficeConfig> =>
  reply(
    api.GET('/v1/office/config/{object_id}', {
      params: {
        path: { object_id: id },
        query: { type: matchMedia(PHONE).matches ? 'mobile' : 'desktop' },
      },
      headers: { 'accept-language': language.peek() },
      signal,
    }),
  );
