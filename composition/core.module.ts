import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { createCore } from '../core/index.ts';
import { PORT_NAMES, TOKENS, type CoreLimits, type Ports } from './tokens.ts';

/** The core with the adapters of the profile. */
export const coreModule = new ContainerModule(({ bind }) => {
  const tokens: ServiceIdentifier[] = PORT_NAMES.map((name) => TOKENS[name]);
  bind(TOKENS.core)
    .toResolvedValue(
      (limits: CoreLimits, ...ports: unknown[]) => createCore({ ...limits, ...byName(ports) }),
      [TOKENS.limits, ...tokens],
    )
    .inSingletonScope();
});

/** The resolved ports under their names; both lists are in the order of `PORT_NAMES`. */
const byName = (ports: readonly unknown[]): Ports =>
  Object.fromEntries(PORT_NAMES.map((name, i) => [name, ports[i]])) as Ports;
