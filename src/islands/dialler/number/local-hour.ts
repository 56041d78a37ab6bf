const wakesAt = 7
const sleepsAt = 22

/** The time of day, `09:04`; undefined if this browser does not know the zone. @param zone IANA name */
export function timeIn(zone: string, now: Date): string | undefined {
  try {
    return now.toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: zone })
  } catch {
    return undefined
  }
}

/** Between 22:00 and 7:00. @param time `09:04` */
export function isNight(time: string): boolean {
  const hour = Number(time.slice(0, 2))
  return hour < wakesAt || hour >= sleepsAt
}
