/** `04:27`; from one hour on with hours. */
export function formatTimer(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** `0:12`, `4:27`, `1:02:03`. */
export function formatLength(seconds: number): string {
  const timer = formatTimer(seconds * 1000)
  return timer.startsWith('0') ? timer.slice(1) : timer
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
