import { atom, type ReadableAtom } from 'nanostores'
import { feedback as endpoint } from '#lib/api/feedback.ts'
import { type Issue, mayBeAsked, promptProbability, type Score, thanksMs } from '#lib/calls/feedback.ts'
import { authorised } from '#session/api.ts'
import { openTab } from '#session/navigation.ts'
import { $reviewUrl, loadSite } from '#session/site.ts'
import { $user, loadUser } from '#session/user.ts'
import { type Call, isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { isTestCall } from '../call/is-test-call.ts'

/** Asking, submitted (`thanks`), closed (SPEC-4.25). */
export type FeedbackPrompt =
  | { readonly state: 'closed' }
  /** `callId` is null if the voice service reported none. */
  | { readonly state: 'asking'; readonly callId: string | null }
  | { readonly state: 'thanks' }

export interface Answer {
  readonly score: Score
  readonly issue?: Issue | undefined
}

export interface FeedbackPorts {
  /** From 0 to 1, as `Math.random`. */
  readonly chance: () => number
  readonly wait: (ms: number, callback: () => void) => void
  readonly openTab: (address: string) => void
}

export interface Feedback {
  readonly $prompt: ReadableAtom<FeedbackPrompt>
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
    $prompt.set({ state: 'asking', ...chosen })
    chosen = null
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
    await send(prompt.callId, answer)
  }

  return {
    $prompt,
    follow() {
      $call.listen(applyCall)
      $user.listen(ask)
    },
    submit,
    async submitAndReview(answer) {
      if ($prompt.get().state !== 'asking') return
      const reviewDelay = new Promise<void>(resolve => ports.wait(beforeReviewMs, resolve))
      await Promise.race([submit(answer), reviewDelay])
      const address = $reviewUrl.get()
      if (address !== null) ports.openTab(address)
    },
    close: () => $prompt.set(closed),
  }
}

export const feedback = createFeedback({
  chance: Math.random,
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
  openTab,
})
