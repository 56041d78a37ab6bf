import { atom, type ReadableAtom } from 'nanostores'
import { claimCall as endpoint } from '#lib/api/call-credits.ts'
import type { Issue } from '#lib/rules/feedback.ts'
import { usdToMicroUsd } from '#lib/rules/money.ts'
import { authorised } from './api.ts'

export type Claiming =
  | { readonly kind: 'credited'; readonly microUsd: number }
  /** In the server's words; a person at support may do more. `credited`: it came back by itself. */
  | { readonly kind: 'refused'; readonly message: string; readonly credited: boolean }
  /** Nothing is known of it: it may be sent again, and counts once. */
  | { readonly kind: 'failed'; readonly message: string }

/** A claim that somebody is making: what was chosen stays while the page around it is laid out anew. */
export interface ClaimDraft {
  readonly callId: string
  readonly issue: Issue | null
}

const $draft = atom<ClaimDraft | null>(null)
export const $claimDraft: ReadableAtom<ClaimDraft | null> = $draft

/** Opens the claim of a call. */
export function beginClaim(callId: string): void {
  $draft.set({ callId, issue: null })
}

/** What was wrong with the call; null: nothing is chosen any more. */
export function chooseClaimIssue(callId: string, issue: Issue | null): void {
  $draft.set({ callId, issue })
}

/** The claim was made, or given up. */
export function endClaim(): void {
  $draft.set(null)
}

/** Claims a bad call of this user's. */
export async function claimBadCall(callId: string, issue: Issue): Promise<Claiming> {
  const result = await authorised(endpoint, { params: { id: callId }, body: { issue } })
  if (result.ok) return { kind: 'credited', microUsd: usdToMicroUsd(result.value.credited) }
  const refused = result.status === 409 || result.status === 403
  if (!refused) return { kind: 'failed', message: result.message }
  return { kind: 'refused', message: result.message, credited: result.code === 'already_credited' }
}
