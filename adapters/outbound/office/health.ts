import { UnavailableError } from '../../../ports/errors.ts';
import type { HealthProbe } from '../../../ports/health.ts';
import type { OfficeEngine } from '../../../ports/office.ts';

/** Whether the editor is served and reports that it is healthy; `off` if none is connected. */
export const officeProbe = (engine: OfficeEngine | null, timeMs: number): HealthProbe => ({
  name: 'office',
  check: async () => {
    if (!engine) return { status: 'off', detail: 'Not connected.' };
    const answer = await engine.reach(timeMs);
    if (!answer.ok) throw new UnavailableError('office', answer.reason);
    return { status: 'ok', detail: 'It answers.' };
  },
});
