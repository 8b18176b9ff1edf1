import type { HealthProbe } from '../../ports/health.ts';
import type { SystemConfinement } from './process/namespaces.ts';

/** What the system's confinement of the readers of files is, for operators. */
export const describeConfinement = ({ isInForce }: SystemConfinement): string =>
  isInForce
    ? 'Readers of files reach no other files and no network.'
    : 'This system gives no namespaces to an unprivileged user: a decoder in native code that is taken over reaches what the service reaches.';

/** `off` where the system does not confine the readers of files. */
export const confinementProbe = (confinement: SystemConfinement): HealthProbe => ({
  name: 'confinement',
  check: () =>
    Promise.resolve({
      status: confinement.isInForce ? 'ok' : 'off',
      detail: describeConfinement(confinement),
    }),
});
