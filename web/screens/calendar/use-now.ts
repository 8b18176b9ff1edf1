import { useEffect, useState } from 'preact/hooks';
import { DAY_MS, minutesOf, type Day } from './days.ts';
import { ownWall } from './zones.ts';

const TICK_MS = 30_000;

/** Minutes since midnight of now, in the column of today. */
export function useNow(): { readonly day: Day; readonly minutes: number } {
  const [now, setNow] = useState(() => ownWall(Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setNow(ownWall(Date.now())), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return { day: Math.floor(now / DAY_MS), minutes: minutesOf(now) };
}
