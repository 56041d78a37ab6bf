import { atom, type ReadableAtom } from 'nanostores'
import { googleNoticeText, googleProblemText } from '#lib/account/google-sign-in.ts'
import { googleProblems } from '#lib/account/google-texts.ts'
import { safeNextPath } from '#lib/account/next-path.ts'
import { $session } from '#session/session.ts'
import { loadSite } from '#session/site.ts'
import { carryToast } from '#session/toasts.ts'
import { $referralId } from '#shared/referral-code.ts'
import { googleStart } from './google-start.ts'

export interface GoogleState {
  /** `leaving`: redirecting to Google. `arriving`: returned, the session is starting. */
  readonly phase: 'here' | 'leaving' | 'arriving'
  /** Fit to be shown; null if nothing went wrong. */
  readonly problem: string | null
}

/** No event reports a cancelled redirect. Longer than our server's timeout for Google. */
const leavingMs = 20_000

const $shown = atom<GoogleState>({ phase: 'here', problem: null })
export const $google: ReadableAtom<GoogleState> = $shown

let leaving: ReturnType<typeof setTimeout> | undefined

/** Reads the result of a return from Google from the address. @returns stops following */
export function openGoogle(): () => void {
  void loadSite()
  const address = new URL(window.location.href)
  const { searchParams: query } = address
  const problem = googleProblemText(query.get('problem'))
  if (query.has('problem')) {
    query.delete('problem')
    window.history.replaceState(window.history.state, '', address)
  }
  $shown.set({ phase: query.has('signed_in') ? 'arriving' : 'here', problem })
  const noticeText = googleNoticeText(query.get('told'))
  const stop = $session.subscribe(({ status }) => {
    if ($shown.get().phase !== 'arriving') return
    if (status === 'signed_out') $shown.set({ phase: 'here', problem: googleProblems.google_failed })
    if (status === 'signed_in' && noticeText !== null)
      carryToast({ type: 'info', message: noticeText, sticky: true })
  })
  const back = ({ persisted }: PageTransitionEvent) => {
    if (persisted) stay()
  }
  window.addEventListener('pageshow', back)
  return () => {
    stop()
    window.removeEventListener('pageshow', back)
  }
}

/** The button's link, with the return path and the referrer. */
export function googleAddress(): string {
  const next = safeNextPath(new URL(window.location.href).searchParams.get('next'), '')
  const referralId = $referralId.get()
  return googleStart({
    ...(next === '' ? {} : { next }),
    ...(referralId === null ? {} : { referralId }),
  })
}

/** @returns whether this press leaves; others do nothing meanwhile */
export function leaveForGoogle(): boolean {
  if ($shown.get().phase !== 'here') return false
  $shown.set({ phase: 'leaving', problem: null })
  leaving = setTimeout(stay, leavingMs)
  return true
}

/** A page restored from the back/forward cache is still in phase `leaving`. */
function stay(): void {
  clearTimeout(leaving)
  $shown.set({ ...$shown.get(), phase: 'here' })
}
