import * as z from 'zod/mini'
import { callQuality } from '#lib/api/call-quality.ts'
import { minuteMs } from '#lib/time.ts'
import { localStore } from '#session/storage.ts'

/** A call's measurements, until the server has them. Sent only by their user's pages. */
const unsentReport = z.object({
  userId: z.string(),
  callId: z.string(),
  /** Unix milliseconds. */
  endedAtMs: z.number(),
  measured: callQuality.body,
})
export type UnsentReport = z.output<typeof unsentReport>

const key = 'unsentReport'
/** The server accepts none later than this after the end of the call. */
const latestMs = 10 * minuteMs

function read(): UnsentReport | null {
  try {
    return z.parse(unsentReport, JSON.parse(localStore.read(key) ?? 'null'))
  } catch {
    return null // Missing, or written by other code.
  }
}

export function keepReport(report: UnsentReport): void {
  localStore.write(key, JSON.stringify(report))
}

export function dropReport(callId: string): void {
  if (read()?.callId === callId) localStore.remove(key)
}

/** The stored report, if it is this user's; one that is too old is removed. @param nowMs Unix milliseconds */
export function keptReport(userId: string | null, nowMs: number): UnsentReport | null {
  const report = read()
  if (report === null) return null
  if (nowMs - report.endedAtMs > latestMs) localStore.remove(key)
  else if (report.userId === userId) return report
  return null
}
