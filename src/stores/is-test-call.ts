import type { Call } from '#lib/rules/call.ts'

/** The attempt that is a test call, on this page's line. */
let attempt: number | null = null

/** The call that has just been begun is a test call. A piece of its own: the phone tells them apart before it can place one. */
export function markTestCall(call: Call): void {
  attempt = call.state === 'idle' ? null : call.attempt
}

/** Whether a call of this page's line is, or was, a test call: it leaves the free call, and nobody is asked how it was. */
export function isTestCall(call: Call): boolean {
  return call.state !== 'idle' && call.attempt === attempt
}
