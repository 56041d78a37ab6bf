import { atom, type ReadableAtom } from 'nanostores'
import { claimCall as endpoint } from '#lib/api/call-credits.ts'
import type { Issue } from '#lib/calls/feedback.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { authorised } from '#session/api.ts'

export type Claiming =
  | { readonly kind: 'credited'; readonly microUsd: number }
  /** `message` is the server's; `credited`: the call was credited automatically. */
  | { readonly kind: 'refused'; readonly message: string; readonly credited: boolean }
  /** The outcome is unknown; a retry is safe, because a claim counts once. */
  | { readonly kind: 'failed'; readonly message: string }

/** A claim in progress; kept here so that it survives a new layout of the page. */
export interface ClaimDraft {
  readonly callId: string
  readonly issue: Issue | null
}

const $draft = atom<ClaimDraft | null>(null)
export const $claimDraft: ReadableAtom<ClaimDraft | null> = $draft

export function beginClaim(callId: string): void {
  $draft.set({ callId, issue: null })
}

export function chooseClaimIssue(callId: string, issue: Issue | null): void {
  $draft.set({ callId, issue })
}

export function endClaim(): void {
  $draft.set(null)
}

export async function claimBadCall(callId: string, issue: Issue): Promise<Claiming> {
  const result = await authorised(endpoint, { params: { id: callId }, body: { issue } })
  if (result.ok) return { kind: 'credited', microUsd: usdToMicroUsd(result.value.credited) }
  const refused = result.status === 409 || result.status === 403
  if (!refused) return { kind: 'failed', message: result.message }
  return { kind: 'refused', message: result.message, credited: result.code === 'already_credited' }
}
