import windowsZones from 'windows-iana';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';

/** Maps zone names of other programs. */
export interface ZoneNames {
  /** The IANA name for an IANA name in any letter case, a Windows name (CLDR), or a path that ends with one. */
  readonly named: (text: string) => string | undefined;
  /** Likely zones for a text that is no zone name, the most likely first. */
  readonly likely: (text: string) => readonly string[];
  /** For a text with a UTC offset and cities, as in "(UTC+01:00) Berlin, Rome". */
  readonly described: (text: string, near: LocalTime) => string | undefined;
}

const LONGEST = 200;

/** The default zone of each Windows name, for an unknown country. */
const WINDOWS: ReadonlyMap<string, string> = new Map(
  windowsZones.WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(
    ({ windowsName, iana }) => [windowsName.toLowerCase(), iana[0] ?? ''],
  ),
);

/** Current zones, those with a city first. */
const USUAL = [...WINDOWS.values()].sort(
  (a, b) => Number(a.startsWith('Etc/')) - Number(b.startsWith('Etc/')),
);

export function zoneNames(zones: TimeZones): ZoneNames {
  const listed = new Map(
    ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => [name.toLowerCase(), name]),
  );
  const cities = new Map(
    [...listed.values()].map((name) => [
      name.split('/').at(-1)!.replaceAll('_', ' ').toLowerCase(),
      name,
    ]),
  );
  const known = (name: string): string | undefined =>
    name !== '' && zones.isKnown(name) ? (listed.get(name.toLowerCase()) ?? name) : undefined;
  const plain = (name: string): string | undefined =>
    known(name) ?? known(WINDOWS.get(name.toLowerCase()) ?? '');
  const named = (text: string): string | undefined => {
    if (text.length > LONGEST) return undefined;
    const parts = text.trim().split('/');
    for (const from of [...parts.keys()]
      .slice(-4)
      .concat(0)
      .sort((a, b) => a - b)) {
      const name = plain(parts.slice(from).join('/'));
      if (name !== undefined) return name;
    }
    return undefined;
  };
  const inCities = (text: string): readonly string[] =>
    text
      .slice(0, LONGEST)
      .toLowerCase()
      .split(/[^\p{L} .'-]+/u)
      .flatMap((part) => cities.get(part.trim()) ?? []);
  return {
    named,
    likely: (text) => [...new Set([...inCities(text), ...USUAL])],
    described(text, near) {
      const offset = offsetIn(text);
      if (offset === undefined) return undefined;
      return inCities(text)
        .filter((zone) => zones.isKnown(zone))
        .find((zone) =>
          [0, 182].some((days) => {
            const instant = near + days * 86_400_000 - offset;
            return zones.toLocal(zone, instant) === instant + offset;
          }),
        );
    },
  };
}

/** Maximum number of names looked up per file, each once; real files have few. */
const MAX_NAMES = 1_000;

/** The same with a cache per file: looking up an invalid name is expensive. */
export function remembering(names: ZoneNames): ZoneNames {
  const known = new Map<string, string | undefined>();
  return {
    ...names,
    named(text) {
      if (!known.has(text)) {
        if (known.size >= MAX_NAMES) return undefined;
        known.set(text, names.named(text));
      }
      return known.get(text);
    },
  };
}

const OFFSET = /^\((?:UTC|GMT)(?:([+-])(\d\d)[:.](\d\d))?\)/i;

function offsetIn(text: string): number | undefined {
  const parts = OFFSET.exec(text.trim());
  if (!parts) return undefined;
  const size = (Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0)) * 60_000;
  return parts[1] === '-' ? -size : size;
}
