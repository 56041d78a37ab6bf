import { atom, type ReadableAtom } from 'nanostores'
import { callReceipt } from '#lib/api/calls.ts'
import { feedback as endpoint } from '#lib/api/feedback.ts'
import { type Issue, mayBeAsked, promptProbability, type Score, thanksMs } from '#lib/calls/feedback.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { authorised } from '#session/api.ts'
import { openTab } from '#session/navigation.ts'
import { $reviewUrl, loadSite } from '#session/site.ts'
import { showToast } from '#session/toasts.ts'
import { $user, loadUser } from '#session/user.ts'
import { claimBadCall } from '#shared/call-claim/call-claim.ts'
import { claimTexts } from '#shared/call-claim/call-claim-texts.ts'
import { type Call, isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { isTestCall } from '../call/is-test-call.ts'
import { $dial } from '../number/dial.ts'

/** Asking, submitted (`thanks`), closed (SPEC-4.25). */
export type FeedbackPrompt =
  | { readonly state: 'closed' }
  /** `callId` is null if the voice service reported none. */
  | { readonly state: 'asking'; readonly callId: string | null }
  | { readonly state: 'thanks' }

export interface Answer {
  readonly score: Score
  readonly issue?: Issue | undefined
  /** The user wants a refund for the issue. */
  readonly claim?: boolean
}

export interface FeedbackPorts {
  /** From 0 to 1, as `Math.random`. */
  readonly chance: () => number
  readonly wait: (ms: number, callback: () => void) => void
  readonly openTab: (address: string) => void
}

export interface Feedback {
  readonly $prompt: ReadableAtom<FeedbackPrompt>
  /** What a claim for this call refunds, in micro-dollars; null if it has none, or until known. */
  readonly $refund: ReadableAtom<number | null>
  follow(): void
  /** Sends the answer; the thanks do not wait for it. */
  submit(answer: Answer): Promise<void>
  submitAndReview(answer: Answer): Promise<void>
  close(): void
}

/** Browsers open a tab only soon after a press, so the answer is not awaited for longer. */
const beforeReviewMs = 800

const closed: FeedbackPrompt = { state: 'closed' }

/** The prompt after a call (SPEC-2.51, SPEC-4.24). */
export function createFeedback(ports: FeedbackPorts): Feedback {
  const $prompt = atom<FeedbackPrompt>(closed)
  const $refund = atom<number | null>(null)
  let chosen: { readonly callId: string | null } | null = null

  function applyCall(call: Call): void {
    if (isLive(call)) {
      chosen = null
      $prompt.set(closed)
    } else if (call.state === 'ended' && call.talkedMs !== null && !isTestCall(call)) {
      chosen = ports.chance() < promptProbability ? { callId: call.callId } : null
    }
  }

  // Runs when the user is reloaded after the settlement. Only then is it known whether this call made the
  // user eligible, and the page has already shown the cost.
  function ask(): void {
    const user = $user.get()
    if (chosen === null || user === null || !mayBeAsked(user)) return
    void loadSite()
    const asking: FeedbackPrompt = { state: 'asking', ...chosen }
    $refund.set(null)
    $prompt.set(asking)
    if (chosen.callId !== null) void loadRefund(asking, chosen.callId)
    chosen = null
  }

  async function loadRefund(asking: FeedbackPrompt, callId: string): Promise<void> {
    const result = await authorised(callReceipt, { params: { id: callId } }, { skipLogoutOnFail: true })
    if (!result.ok || $prompt.get() !== asking) return
    const { claim, credit } = result.value
    if (claim !== null && !claim.usedUp && credit === null) $refund.set(usdToMicroUsd(claim.amount))
  }

  /** Says what became of the claim, because the thanks say nothing of it. */
  async function claim(callId: string, issue: Issue): Promise<void> {
    const claiming = await claimBadCall(callId, issue)
    if (claiming.kind === 'credited')
      showToast({
        type: 'success',
        message: claimTexts.refunded({ amount: formatCharge(claiming.microUsd) }),
      })
    else showToast({ type: 'error', message: claiming.message })
  }

  async function send(callId: string | null, { score, issue }: Answer): Promise<void> {
    const body = { score, ...(issue && { issue }), ...(callId && { callId }) }
    const result = await authorised(endpoint, { body }, { skipLogoutOnFail: true, keepalive: true })
    if (result.ok) void loadUser()
    else console.error(`The feedback could not be sent: ${result.code} (status ${result.status})`)
  }

  function thank(): void {
    const thanks: FeedbackPrompt = { state: 'thanks' }
    $prompt.set(thanks)
    ports.wait(thanksMs, () => {
      if ($prompt.get() === thanks) $prompt.set(closed)
    })
  }

  async function submit(answer: Answer): Promise<void> {
    const prompt = $prompt.get()
    if (prompt.state !== 'asking') return
    thank()
    const { issue } = answer
    const claiming = answer.claim && issue && prompt.callId ? claim(prompt.callId, issue) : undefined
    await Promise.all([send(prompt.callId, answer), claiming])
  }

  return {
    $prompt,
    $refund,
    follow() {
      $call.listen(applyCall)
      $user.listen(ask)
      // Whoever enters the next number is not interrupted (ADR-60).
      $dial.listen(() => {
        chosen = null
      })
    },
    submit,
    async submitAndReview(answer) {
      if ($prompt.get().state !== 'asking') return
      const reviewDelay = new Promise<void>(resolve => ports.wait(beforeReviewMs, resolve))
      await Promise.race([submit(answer), reviewDelay])
      const address = $reviewUrl.get()
      if (address !== null) ports.openTab(address)
    },
    close() {
      chosen = null
      $prompt.set(closed)
    },
  }
}

export const feedback = createFeedback({
  chance: Math.random,
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
  openTab,
})
