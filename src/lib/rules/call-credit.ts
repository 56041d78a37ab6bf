/** An answered call that is shorter than this is given back by itself. Milliseconds. */
export const shortCallMs = 10_000
/** Credits count against their limits for so long. */
export const creditWindowDays = 30
/** A bad call may be claimed until so long after its end. */
export const claimDays = 7
/** A page that measured less of a call does not know that it was silent. */
export const leastMeasuredSeconds = 5

/** What is given back for bad calls. The terms of use and the questions say the defaults: change both. */
export interface CallCreditTerms {
  /** Credits given by themselves to one user in 30 days. 0: none are. */
  readonly automaticMost: number
  /** Claims of one user in 30 days. 0: none are taken. */
  readonly claimsMost: number
  /** What rests on a caller's word, a claim or a page that heard nothing, is worth at most this. Micro-dollars. */
  readonly onWordMostMicroUsd: number
}

export const defaultCallCreditTerms: CallCreditTerms = {
  automaticMost: 3,
  claimsMost: 3,
  onWordMostMicroUsd: 1_000_000,
}

/** What a page measured of a call, in whole seconds. */
export interface MeasuredSound {
  readonly seconds: number
  readonly heardSeconds: number
}

export interface EndedCall {
  /** From answer to end. */
  readonly answeredMs: number
  /** Whether the network passed anything on from the other end; null where it does not say. */
  readonly networkHeard: boolean | null
  /** Null while the page has told nothing. */
  readonly measured: MeasuredSound | null
}

export type AutomaticCredit = {
  readonly reason: 'short' | 'no_sound'
  /** Whether only the caller's page says so. */
  readonly onWord: boolean
}

/**
 * Why a call is given back by itself; null where it is not. A page counts only where it measured half of the call or more:
 * what it says of the first seconds says nothing of the rest.
 */
export function automaticCredit({ answeredMs, networkHeard, measured }: EndedCall): AutomaticCredit | null {
  if (answeredMs < shortCallMs) return { reason: 'short', onWord: false }
  if (networkHeard === false) return { reason: 'no_sound', onWord: false }
  if (measured === null || measured.heardSeconds > 0 || measured.seconds < leastMeasuredSeconds) return null
  return measured.seconds * 2000 >= answeredMs ? { reason: 'no_sound', onWord: true } : null
}

/** The last moment at which a call may be claimed. */
export function claimableUntil(endedAt: Date): Date {
  return new Date(endedAt.getTime() + claimDays * 24 * 3600_000)
}

/** What a caller reads whose claim is not taken, by its code. Each but the first leads to support. */
export const creditTexts = {
  not_ended: 'This call goes on. Claim it once it has ended.',
  nothing_charged: 'Nothing was charged for this call, so there is nothing to give back.',
  already_credited: 'This call was given back already. It stands in your billing history.',
  too_late: `A call can be claimed here for ${claimDays} days. Write to us, and a person looks at it.`,
  claim_limit: `You have claimed as many calls as we give back here in ${creditWindowDays} days. Write to us, and a person looks at it.`,
  call_blocked: 'Your account is restricted, so a person has to look at this. Write to us.',
} as const
