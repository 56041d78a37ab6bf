import * as z from 'zod/mini'
import { callQuality } from '#lib/api/call-quality.ts'
import { localStore } from './storage.ts'

/** What was measured of a call, until the server has it. Of one user: nobody else's page sends it. */
const unsentReport = z.object({
  userId: z.string(),
  callId: z.string(),
  /** Unix milliseconds. */
  endedAtMs: z.number(),
  measured: callQuality.body,
})
export type UnsentReport = z.output<typeof unsentReport>

const key = 'unsentReport'
/** The server keeps none that comes later than this after the end of its call. */
const latestMs = 10 * 60_000

function read(): UnsentReport | null {
  try {
    return z.parse(unsentReport, JSON.parse(localStore.read(key) ?? 'null'))
  } catch {
    return null // There is none, or something else wrote under this key.
  }
}

/** Remembers a report, in place of the one before. */
export function keepReport(report: UnsentReport): void {
  localStore.write(key, JSON.stringify(report))
}

/** Forgets the report about this call. */
export function dropReport(callId: string): void {
  if (read()?.callId === callId) localStore.remove(key)
}

/**
 * The report that is still to be sent, if it is this user's. One that comes too late is forgotten.
 * @param nowMs Unix milliseconds
 */
export function keptReport(userId: string | null, nowMs: number): UnsentReport | null {
  const report = read()
  if (report === null) return null
  if (nowMs - report.endedAtMs > latestMs) localStore.remove(key)
  else if (report.userId === userId) return report
  return null
}
