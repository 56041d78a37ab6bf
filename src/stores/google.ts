import { atom, type ReadableAtom } from 'nanostores'
import {
  googleNewsText,
  googleProblems,
  googleProblemText,
  googleStartPath,
} from '#lib/rules/google-sign-in.ts'
import { safeNextPath } from '#lib/rules/next-path.ts'
import { $referralId } from './referral.ts'
import { $session } from './session.ts'
import { loadSite } from './site.ts'
import { carryToast } from './toasts.ts'

export interface GoogleState {
  /** `leaving`: on the way to Google. `arriving`: back from there, and the session is being taken up. */
  readonly phase: 'here' | 'leaving' | 'arriving'
  /** What went wrong there, fit to be shown; null when nothing did. */
  readonly problem: string | null
}

/** A journey that the visitor stopped is told to nobody: so long the button waits. Longer than our server does for Google. */
const leavingMs = 20_000

const $shown = atom<GoogleState>({ phase: 'here', problem: null })
/** How far signing in with Google is, on a page that offers it. Written here alone. */
export const $google: ReadableAtom<GoogleState> = $shown

let leaving: ReturnType<typeof setTimeout> | undefined

/** Reads what the way back from Google has written into the page's address. @returns stops watching */
export function openGoogle(): () => void {
  void loadSite()
  const address = new URL(window.location.href)
  const { searchParams: query } = address
  const problem = googleProblemText(query.get('problem'))
  if (query.has('problem')) {
    // A reload begins anew.
    query.delete('problem')
    window.history.replaceState(window.history.state, '', address)
  }
  $shown.set({ phase: query.has('signed_in') ? 'arriving' : 'here', problem })
  const news = googleNewsText(query.get('told'))
  const stop = $session.subscribe(({ status }) => {
    if ($shown.get().phase !== 'arriving') return
    if (status === 'signed_out') $shown.set({ phase: 'here', problem: googleProblems.google_failed })
    if (status === 'signed_in' && news !== null) carryToast({ type: 'info', message: news, sticky: true })
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

/** Where the button leads: with where to go afterwards, and who referred this visitor. */
export function googleAddress(): string {
  const query = new URLSearchParams()
  const next = safeNextPath(new URL(window.location.href).searchParams.get('next'), '')
  if (next !== '') query.set('next', next)
  const referralId = $referralId.get()
  if (referralId !== null) query.set('referralId', referralId)
  return query.size === 0 ? googleStartPath : `${googleStartPath}?${query}`
}

/** @returns whether this press leaves; further ones do nothing while it is on its way */
export function leaveForGoogle(): boolean {
  if ($shown.get().phase !== 'here') return false
  $shown.set({ phase: 'leaving', problem: null })
  leaving = setTimeout(stay, leavingMs)
  return true
}

/** Back from another page, the browser may bring this one from its memory as it was left. */
function stay(): void {
  clearTimeout(leaving)
  $shown.set({ ...$shown.get(), phase: 'here' })
}
