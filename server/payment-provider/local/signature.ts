import { createHmac, timingSafeEqual } from 'node:crypto'
import { minuteMs } from '#lib/time.ts'

export const signatureHeader = 'farline-signature'

/** Limits replays of a recorded delivery; retries are signed again. */
export const toleranceMs = 5 * minuteMs

function digest(secret: Uint8Array, seconds: number, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
}

/** `t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 over the time, a dot and the raw body. */
export function signEvent(secret: Uint8Array, body: Uint8Array, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  return `t=${seconds},v1=${digest(secret, seconds, body).toString('hex')}`
}

/** Whether we signed these bytes, within five minutes of now. */
export function isSigned(secret: Uint8Array, body: Uint8Array, signature: string, now: Date): boolean {
  const [, time, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (time === undefined || hex === undefined) return false
  if (Math.abs(now.getTime() - Number(time) * 1000) > toleranceMs) return false
  return timingSafeEqual(digest(secret, Number(time), body), Buffer.from(hex, 'hex'))
}
