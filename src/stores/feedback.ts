import { atom, type ReadableAtom } from 'nanostores'
import { feedback as endpoint } from '#lib/api/feedback.ts'
import { type Call, isLive } from '#lib/rules/call.ts'
import { type Issue, mayBeAsked, promptProbability, type Score, thanksMs } from '#lib/rules/feedback.ts'
import { authorised } from './api.ts'
import { $call } from './call.ts'
import { isTestCall } from './is-test-call.ts'
import { openTab } from './navigation.ts'
import { $reviewUrl, loadSite } from './site.ts'
import { $user, loadUser } from './user.ts'

/** Specification section 4: asking, submitted (thank-you), closed. */
export type FeedbackPrompt =
  | { readonly state: 'closed' }
  /** `callId` is null where the voice service told none. */
  | { readonly state: 'asking'; readonly callId: string | null }
  | { readonly state: 'thanks' }

export interface Answer {
  readonly score: Score
  readonly issue?: Issue | undefined
}

export interface FeedbackPorts {
  /** A number from 0 to 1, as `Math.random` draws it. */
  readonly chance: () => number
  readonly wait: (ms: number, callback: () => void) => void
  readonly openTab: (address: string) => void
}

export interface Feedback {
  readonly $prompt: ReadableAtom<FeedbackPrompt>
  /** Asks after some of the calls that end from now on. */
  follow(): void
  /** Sends the answer and thanks for it, whether or not it arrives. */
  submit(answer: Answer): Promise<void>
  /** The same, and then the review site in a new tab. */
  submitAndReview(answer: Answer): Promise<void>
  close(): void
}

/** A browser opens a tab only soon after the press: a slow answer is not waited for longer. */
const beforeReviewMs = 800

const closed: FeedbackPrompt = { state: 'closed' }

/** The prompt after a call (specification sections 2 and 4). */
export function createFeedback(ports: FeedbackPorts): Feedback {
  const $prompt = atom<FeedbackPrompt>(closed)
  /** The call to ask about, once the server has settled it and the user is known anew. */
  let chosen: { readonly callId: string | null } | null = null

  function hear(call: Call): void {
    if (isLive(call)) {
      chosen = null
      $prompt.set(closed)
    } else if (call.state === 'ended' && call.talkedMs !== null && !isTestCall(call)) {
      chosen = ports.chance() < promptProbability ? { callId: call.callId } : null
    }
  }

  // Whether the call itself made the user one to ask is known when it is settled; the page then asks who
  // the user is, and has said by then what the call cost.
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
      $call.listen(hear)
      $user.listen(ask)
    },
    submit,
    async submitAndReview(answer) {
      if ($prompt.get().state !== 'asking') return
      const patience = new Promise<void>(resolve => ports.wait(beforeReviewMs, resolve))
      await Promise.race([submit(answer), patience])
      const address = $reviewUrl.get()
      if (address !== null) ports.openTab(address)
    },
    close: () => $prompt.set(closed),
  }
}

/** The prompt of this page. */
export const feedback = createFeedback({
  chance: Math.random,
  wait: (ms, callback) => {
    setTimeout(callback, ms)
  },
  openTab,
})
