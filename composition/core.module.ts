import { ContainerModule } from 'inversify';
import { createCore } from '../core/index.ts';
import { TOKENS } from './tokens.ts';

/** The core, built from whichever adapters the profile bound. */
export const coreModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.core)
    .toResolvedValue(
      (
        accounts,
        archives,
        blobs,
        breather,
        clock,
        digests,
        directory,
        entropy,
        extractor,
        jobs,
        limits,
        pages,
        passwords,
        probes,
        rates,
        sealer,
        sniffer,
        thumbnailer,
        uow,
      ) =>
        createCore({
          accounts,
          archives,
          blobs,
          breather,
          clock,
          digests,
          directory,
          entropy,
          extractor,
          jobs,
          pages,
          passwords,
          probes,
          rates,
          sealer,
          sniffer,
          thumbnailer,
          uow,
          ...limits,
        }),
      [
        TOKENS.accounts,
        TOKENS.archives,
        TOKENS.blobs,
        TOKENS.breather,
        TOKENS.clock,
        TOKENS.digests,
        TOKENS.directory,
        TOKENS.entropy,
        TOKENS.extractor,
        TOKENS.jobs,
        TOKENS.limits,
        TOKENS.pages,
        TOKENS.passwords,
        TOKENS.probes,
        TOKENS.rates,
        TOKENS.sealer,
        TOKENS.sniffer,
        TOKENS.thumbnailer,
        TOKENS.uow,
      ],
    )
    .inSingletonScope();
});
