import { sharedByFiles } from '../leftovers.ts';
import { requestsTo, startService, type Profile, type Served } from './harness.ts';

const serviceOf = (profile: Profile) =>
  sharedByFiles({
    start: () => startService(profile, { OUTBOUND_ALLOW: '127.0.0.1/32' }),
    end: (service) => service.dispose(),
    isRunning: ({ process: { exitCode, signalCode } }) => exitCode === null && signalCode === null,
  });

const services = { standalone: serviceOf('standalone'), team: serviceOf('team') };

/**
 * A workspace of its own, with an owner of its own, in a service that the spec files of this process share: for specs whose
 * state belongs to the owner. The service has the default configuration, but may connect to servers of this machine.
 */
export async function sharedService(profile: Profile): Promise<Served> {
  const service = await services[profile]();
  const { token } = await service.newOwner();
  return { ...service, ...requestsTo(service.base, token) };
}
