import { PortFailure } from '../../../ports/failures.ts';
import type { HealthProbe } from '../../../ports/health.ts';
import type { OfficeEngine } from '../../../ports/office.ts';

/** Whether the editor can be loaded and says that it is well; `off` where there is none. */
export const officeProbe = (engine: OfficeEngine | null, timeMs: number): HealthProbe => ({
  name: 'office',
  check: async () => {
    if (!engine) return { status: 'off', detail: 'Not connected.' };
    const answer = await engine.reach(timeMs);
    if (!answer.ok) throw new PortFailure('office', answer.reason);
    return { status: 'ok', detail: 'It answers.' };
  },
});
