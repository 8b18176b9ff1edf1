/** The hour of the day in a zone, 0 to 23. */
export const dayHour = (at: Date, timeZone: string): number =>
  Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(at));
