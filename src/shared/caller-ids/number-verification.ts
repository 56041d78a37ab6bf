import { atom, type ReadableAtom } from 'nanostores'
import type { requestVerification } from '#lib/api/caller-id.ts'
import type { VerificationEvent, VerificationStatus } from '#lib/api/verification.ts'
import { callerIdShape, maxVerificationPolls, verificationPollMs } from '#lib/numbers/caller-id.ts'
import { callerIdTexts } from '#lib/numbers/caller-id-texts.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import type { ApiResult } from '#session/transport.ts'
import type { Attempts, VerificationFailure } from './verification-wording.ts'

export type NumberVerification =
  | { readonly state: 'closed' }
  | {
      readonly state: 'entering'
      readonly sending: boolean
      /** What is wrong with the number, or why it was not called. */
      readonly fault: string | null
      /** How the last call failed. */
      readonly failure: VerificationFailure | null
    }
  /** The phone is ringing and the user must enter the code there. */
  | ({ readonly state: 'waiting' } & Ringing)

interface Ringing {
  /** E.164. */
  readonly number: string
  readonly code: string
  /** `wrong_code`: answered, a wrong code was typed, and another may be. */
  readonly progress: 'calling' | 'answered' | 'wrong_code'
}

export interface NumberVerificationPorts {
  readonly request: (phoneNumber: string) => Promise<ApiResult<typeof requestVerification>>
  /** The verified numbers; null if they could not be loaded. */
  readonly list: () => Promise<readonly string[] | null>
  /** How the last call went, and how many are left; null if it could not be loaded. */
  readonly status: () => Promise<VerificationStatus | null>
  /** Receives events of the user's verification calls, which may be lost. @returns stops */
  readonly listen: (onEvent: (event: VerificationEvent) => void) => () => void
  /** In the numbering plan's form; unchanged if the plan does not know it. */
  readonly normalise: (number: string) => Promise<string>
  readonly onVerified: (number: string) => void
  readonly wait: (ms: number, callback: () => void) => void
}

export interface NumberVerifier {
  readonly $verification: ReadableAtom<NumberVerification>
  /** Calls left today; null until loaded. */
  readonly $attempts: ReadableAtom<Attempts | null>
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
  const $attempts = atom<Attempts | null>(null)
  /** The request and the ringing phone, even while the dialog is closed. */
  let sending = false
  let ringing: Ringing | null = null
  /** The call of a request ended before its answer arrived. */
  let endedEarly = false
  let stopListening = () => {}
  /** Counts numbers and resets, to ignore answers to earlier ones. */
  let turn = 0

  function enter(fault: string | null, failure: VerificationFailure | null = null): void {
    if ($verification.get().state === 'closed') return
    $verification.set({ state: 'entering', sending, fault, failure })
  }

  function ring(next: Ringing): void {
    ringing = next
    if ($verification.get().state !== 'closed') $verification.set({ state: 'waiting', ...next })
  }

  function stop(): void {
    ringing = null
    stopListening()
    stopListening = () => {}
  }

  function settle(number: string): void {
    stop()
    $verification.set({ state: 'closed' })
    ports.onVerified(number)
  }

  async function loadStatus(): Promise<VerificationStatus | null> {
    const mine = turn
    const status = await ports.status()
    if (status !== null && mine === turn) $attempts.set(status)
    return status
  }

  function pollLater(mine: number, polls: number): void {
    ports.wait(verificationPollMs, () => {
      if (mine === turn && ringing !== null) void poll(mine, polls)
    })
  }

  async function poll(mine: number, polls: number): Promise<void> {
    if ((await isDecided(mine)) || mine !== turn || ringing === null) return
    if (polls < maxVerificationPolls) return pollLater(mine, polls + 1)
    stop()
    enter(null, 'timed_out')
  }

  /** Looks whether the number is verified, or the call over without it. */
  async function isDecided(mine: number): Promise<boolean> {
    const numbers = await ports.list()
    if (mine !== turn || ringing === null) return true
    if (numbers?.includes(ringing.number)) {
      settle(ringing.number)
      return true
    }
    const last = (await loadStatus())?.lastCall
    if (mine !== turn || ringing === null) return true
    const outcome = last?.phone_number === ringing.number ? last.outcome : null
    // Verified since the list was read: the next poll has it.
    if (outcome == null || outcome === 'verified') return false
    stop()
    enter(null, outcome)
    return true
  }

  function applyEvent({ phoneNumber, state }: VerificationEvent, mine: number): void {
    if (mine !== turn) return
    if (state === 'ended') {
      endedEarly = sending
      if (ringing?.number === phoneNumber) void isDecided(mine)
    } else if (ringing?.number === phoneNumber) ring({ ...ringing, progress: state })
  }

  /** The server's message for a rejection, otherwise the text of SPEC-8.16 (PD-28). */
  function faultOf(result: Extract<ApiResult<typeof requestVerification>, { ok: false }>): string {
    const refused = result.body !== null && result.status >= 400 && result.status < 500
    return refused ? result.message : callerIdTexts.requestFailed
  }

  return {
    $verification,
    $attempts,
    open() {
      if ($verification.get().state !== 'closed') return
      $verification.set(
        ringing === null
          ? { state: 'entering', sending, fault: null, failure: null }
          : { state: 'waiting', ...ringing },
      )
      void loadStatus()
    },
    close: () => $verification.set({ state: 'closed' }),
    async submit(typed) {
      const shown = $verification.get()
      if (shown.state !== 'entering' || shown.sending) return
      const number = keepDialable(typed)
      if (!callerIdShape.test(number)) return enter(callerIdTexts.invalid)
      turn += 1
      const mine = turn
      sending = true
      endedEarly = false
      enter(null)
      stopListening = ports.listen(event => applyEvent(event, mine))
      const full = await ports.normalise(number)
      const result = await ports.request(full)
      if (mine !== turn) return
      sending = false
      if (!result.ok) {
        stop()
        enter(faultOf(result))
        void loadStatus()
        return
      }
      ring({ number: full, code: result.value.code, progress: 'calling' })
      pollLater(mine, 1)
      if (endedEarly) void isDecided(mine)
    },
    reset() {
      turn += 1
      sending = false
      stop()
      $attempts.set(null)
      $verification.set({ state: 'closed' })
    },
  }
}
