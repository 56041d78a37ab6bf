import { atom, type ReadableAtom } from 'nanostores'
import type { requestVerification } from '#lib/api/caller-id.ts'
import {
  callerIdShape,
  invalidCallerIdMessage,
  maxVerificationPolls,
  verificationPollMs,
} from '#lib/numbers/caller-id.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import { texts } from '#lib/texts.ts'
import type { ApiResult } from '#session/transport.ts'

export type NumberVerification =
  | { readonly state: 'closed' }
  /** `fault`: what is wrong with the number, or with the last attempt. */
  | { readonly state: 'entering'; readonly sending: boolean; readonly fault: string | null }
  /** The phone is ringing and the user must enter the code there. */
  | ({ readonly state: 'waiting' } & Ringing)

interface Ringing {
  /** E.164. */
  readonly number: string
  readonly code: string
}

export interface NumberVerificationPorts {
  readonly request: (phoneNumber: string) => Promise<ApiResult<typeof requestVerification>>
  /** The verified numbers; null if they could not be loaded. */
  readonly list: () => Promise<readonly string[] | null>
  /** In the numbering plan's form; unchanged if the plan does not know it. */
  readonly normalise: (number: string) => Promise<string>
  readonly onVerified: (number: string) => void
  readonly wait: (ms: number, callback: () => void) => void
}

/** Our text; the specification has none. */
export const noCodeMessage = "We didn't get the code. Check the number, then try again."

export interface NumberVerifier {
  readonly $verification: ReadableAtom<NumberVerification>
  open(): void
  /** Closes the dialog. The phone keeps ringing and its code still counts. */
  close(): void
  /** Calls the number, as typed, for verification. */
  submit(typed: string): Promise<void>
  reset(): void
}

/** Verifies numbers one at a time; the only writer of its state. */
export function createNumberVerifier(ports: NumberVerificationPorts): NumberVerifier {
  const $verification = atom<NumberVerification>({ state: 'closed' })
  /** The request and the ringing phone, even while the dialog is closed. */
  let sending = false
  let ringing: Ringing | null = null
  /** Counts numbers and resets, to ignore answers to earlier ones. */
  let turn = 0

  function enter(fault: string | null): void {
    if ($verification.get().state !== 'closed') $verification.set({ state: 'entering', sending, fault })
  }

  function settle(number: string): void {
    ringing = null
    $verification.set({ state: 'closed' })
    ports.onVerified(number)
  }

  function pollLater(mine: number, polls: number): void {
    ports.wait(verificationPollMs, () => {
      if (mine === turn) void poll(mine, polls)
    })
  }

  async function poll(mine: number, polls: number): Promise<void> {
    const numbers = await ports.list()
    if (mine !== turn || ringing === null) return
    if (numbers?.includes(ringing.number)) return settle(ringing.number)
    if (polls < maxVerificationPolls) return pollLater(mine, polls + 1)
    ringing = null
    enter(noCodeMessage)
  }

  /** The server's message for a rejection, otherwise the text of SPEC-8.16 (PD-28). */
  function faultOf(result: Extract<ApiResult<typeof requestVerification>, { ok: false }>): string {
    const refused = result.body !== null && result.status >= 400 && result.status < 500
    return refused ? result.message : texts.callerIds.request_failed
  }

  return {
    $verification,
    open() {
      if ($verification.get().state !== 'closed') return
      $verification.set(
        ringing === null ? { state: 'entering', sending, fault: null } : { state: 'waiting', ...ringing },
      )
    },
    close: () => $verification.set({ state: 'closed' }),
    async submit(typed) {
      const shown = $verification.get()
      if (shown.state !== 'entering' || shown.sending) return
      const number = keepDialable(typed)
      if (!callerIdShape.test(number)) return enter(invalidCallerIdMessage)
      turn += 1
      const mine = turn
      sending = true
      enter(null)
      const full = await ports.normalise(number)
      const result = await ports.request(full)
      if (mine !== turn) return
      sending = false
      if (!result.ok) return enter(faultOf(result))
      ringing = { number: full, code: result.value.code }
      if ($verification.get().state !== 'closed') $verification.set({ state: 'waiting', ...ringing })
      pollLater(mine, 1)
    },
    reset() {
      turn += 1
      sending = false
      ringing = null
      $verification.set({ state: 'closed' })
    },
  }
}
