import type { Settings } from '../../ports/settings.ts';
import type { Part } from './part.ts';
import { settingsShape } from './records.ts';
import { ArchiveFormatError } from './shapes.ts';

/** The owner's settings. Existing settings of a workspace are preserved. */
export const settingsPart: Part<Settings> = {
  name: 'settings',
  isOfAccount: true,
  async *out({ deps, caller }) {
    const settings = await deps.uow.read(caller.scope, (stores) => stores.settings.find());
    if (settings) yield { line: settingsShape.write(settings), counts: true };
  },
  reader: () => (sent) => settingsShape.read(sent, ''),
  needs: () => [],
  inspect: async ({ zones }, _archive, { timezone }) => {
    if (!zones.isKnown(timezone))
      throw new ArchiveFormatError(
        `The settings name a time zone that does not exist: ${JSON.stringify(timezone)}.`,
      );
    return Promise.resolve();
  },
  atOnce: 1,
  importRecords: (target, [settings]) =>
    target.write(async (stores) => {
      if (!settings) return;
      const stored = await stores.settings.find();
      if (!stored) await stores.settings.put(settings);
      target.settings = stored ? 'kept' : 'imported';
    }),
};
