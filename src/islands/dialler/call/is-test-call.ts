import type { Call } from '#voice/call.ts'

let attempt: number | null = null

/** Separate, because the phone needs this before the code that places test calls is loaded. */
export function markTestCall(call: Call): void {
  attempt = call.state === 'idle' ? null : call.attempt
}

/** A test call does not use the free call, and no feedback is requested. */
export function isTestCall(call: Call): boolean {
  return call.state !== 'idle' && call.attempt === attempt
}
