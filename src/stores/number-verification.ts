import { atom, type ReadableAtom } from 'nanostores'
import type { requestVerification } from '#lib/api/caller-id.ts'
import {
  callerIdShape,
  invalidCallerIdMessage,
  mostVerificationPolls,
  verificationPollMs,
} from '#lib/rules/caller-id.ts'
import { keepDialable } from '#lib/rules/dialable.ts'
import { texts } from '#lib/rules/error-texts.ts'
import type { ApiResult } from './transport.ts'

/** The dialog that verifies a number. */
export type NumberVerification =
  | { readonly state: 'closed' }
  /** `fault`: what is wrong with the number, or with the last attempt. */
  | { readonly state: 'entering'; readonly sending: boolean; readonly fault: string | null }
  /** The number rings, and the code is wanted there. */
  | ({ readonly state: 'waiting' } & Ringing)

interface Ringing {
  /** E.164. */
  readonly number: string
  readonly code: string
}

/** What verifying needs of the world. */
export interface NumberVerificationPorts {
  readonly request: (phoneNumber: string) => Promise<ApiResult<typeof requestVerification>>
  /** The verified numbers; null when they could not be had. */
  readonly list: () => Promise<readonly string[] | null>
  /** The number as the numbering plan writes it; as it is where the plan has no opinion. */
  readonly normalise: (number: string) => Promise<string>
  readonly onVerified: (number: string) => void
  readonly wait: (ms: number, callback: () => void) => void
}

/** Ours: the specification has no words for it. */
export const noCodeMessage = 'The code did not reach us. Check the number, then try again.'

export interface NumberVerifier {
  readonly $verification: ReadableAtom<NumberVerification>
  open(): void
  /** Closes the dialog. A phone that rings goes on ringing, and its code counts. */
  close(): void
  /** Has the number rung, as it was typed. */
  submit(typed: string): Promise<void>
  /** Somebody else is signed in, or nobody: all of it is forgotten. */
  reset(): void
}

/** Verifies numbers one after the other: the only writer of its state. */
export function createNumberVerifier(ports: NumberVerificationPorts): NumberVerifier {
  const $verification = atom<NumberVerification>({ state: 'closed' })
  /** A request without an answer, and the phone that rings: whether the dialog shows them or not. */
  let sending = false
  let ringing: Ringing | null = null
  /** Grows with each number and each reset: what belongs to an earlier one is let go. */
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
    if (polls < mostVerificationPolls) return pollLater(mine, polls + 1)
    ringing = null
    enter(noCodeMessage)
  }

  /** Decision 28: the server's message where it refused, else the specification's words. */
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
