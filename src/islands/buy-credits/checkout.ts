import { atom, type ReadableAtom } from 'nanostores'
import { localPath } from '#lib/i18n/path.ts'
import {
  type AmountChoice,
  type AmountFault,
  chosenUsd,
  customAmountFault,
  defaultUsd,
  isPayable,
} from '#lib/money/credit-amounts.ts'
import { go } from '#session/navigation.ts'
import { rememberReturnPathFor } from '#session/return-path.ts'
import { $session, start } from '#session/session.ts'
import { consumeFromTab, tabStore } from '#session/storage.ts'
import { redirectWithToast, showToast } from '#session/toasts.ts'
import { loadUser } from '#session/user.ts'
import { $autoTopUp, restoreAutoTopUp } from '#shared/auto-top-up/auto-top-up.ts'
import { openHostedCheckout } from '#shared/checkout/hosted-checkout.ts'
import { checkout } from '#shared/checkout/texts.ts'

export interface Checkout {
  readonly choice: AmountChoice
  /** `opening`: requested, or redirecting. */
  readonly phase: 'choosing' | 'opening'
  /** A checkout was requested with too small an amount. */
  readonly refused: boolean
}

const page = '/buy-credits'
/** Auto top-up as it was when the checkout opened, for a checkout that is cancelled. */
const switchKey = 'checkoutAutoTopUp'
/** No event reports a visitor who stops the redirect, so the button is enabled again after this time. */
const leavingMs = 20_000

const $shown = atom<Checkout>({
  choice: { kind: 'preset', usd: defaultUsd },
  phase: 'choosing',
  refused: false,
})
export const $checkout: ReadableAtom<Checkout> = $shown

const faultTexts: Readonly<Record<AmountFault, 'tooLittle' | 'tooMuch' | 'notWhole'>> = {
  negative: 'tooLittle',
  too_much: 'tooMuch',
  not_whole: 'notWhole',
}

let leaving: ReturnType<typeof setTimeout> | undefined

function change(part: Partial<Checkout>): void {
  $shown.set({ ...$shown.get(), ...part })
}

export function choosePreset(usd: number): void {
  change({ choice: { kind: 'preset', usd }, refused: false })
}

/** Clears the preset. Text that can never become an amount is rejected with a warning (SPEC-5.2); the field stays. */
export function typeAmount(text: string): void {
  const fault = customAmountFault(text)
  if (fault === null) change({ choice: { kind: 'custom', text }, refused: false })
  else showToast({ type: 'warning', message: checkout[faultTexts[fault]] })
}

export function openCheckout(entered: AmountChoice): () => void {
  if (entered.kind === 'preset') choosePreset(entered.usd)
  else typeAmount(entered.text)
  showCancelled()
  void loadUser()
  window.addEventListener('pageshow', comeBack)
  return () => window.removeEventListener('pageshow', comeBack)
}

/** A page restored from the back/forward cache is still in phase `opening`. */
function comeBack({ persisted }: PageTransitionEvent): void {
  if (!persisted) return
  stay()
  void loadUser()
}

function stay(): void {
  clearTimeout(leaving)
  change({ phase: 'choosing' })
}

/** Never read from an address: a link of somebody else must not switch auto top-up on. */
function showCancelled(): void {
  const address = new URL(window.location.href)
  const wasOn = consumeFromTab(switchKey) === 'on'
  if (address.searchParams.get('payment') !== 'cancelled') return
  if (wasOn) restoreAutoTopUp()
  address.searchParams.delete('payment')
  address.searchParams.delete('order')
  window.history.replaceState(window.history.state, '', address)
  showToast({ type: 'info', message: checkout.cancelled })
}

export async function checkOut(): Promise<void> {
  if ($shown.get().phase === 'opening') return
  change({ phase: 'opening', refused: false })
  try {
    if (!(await leave())) stay()
  } catch (bug) {
    stay()
    showToast({ type: 'error', message: checkout.failed })
    throw bug
  }
}

/** @returns whether the browser is leaving the page */
async function leave(): Promise<boolean> {
  const usd = chosenUsd($shown.get().choice)
  await start()
  if ($session.get().status !== 'signed_in') return sendAway('/register', checkout.visitor, usd)
  if (!isPayable(usd)) {
    change({ refused: true })
    return false
  }
  const autoTopUpEnabled = $autoTopUp.get()
  const opened = await openHostedCheckout({ usd, autoTopUpEnabled })
  switch (opened.kind) {
    case 'open':
      tabStore.write(switchKey, autoTopUpEnabled ? 'on' : 'off')
      return visit(opened.url, usd)
    case 'signed_out':
      return sendAway('/login', opened.message, usd)
    case 'refused':
      return say(opened.message)
    default:
      return opened satisfies never
  }
}

function say(message: string): false {
  showToast({ type: 'error', message })
  return false
}

function visit(url: string, usd: number): true {
  keepInAddress(usd)
  leaving = setTimeout(stay, leavingMs)
  go(url)
  return true
}

function sendAway(path: string, message: string, usd: number | null): true {
  if (isPayable(usd)) keepInAddress(usd)
  rememberReturnPathFor(isPayable(usd) ? pageWith(usd) : localPath(page))
  leaving = setTimeout(stay, leavingMs)
  redirectWithToast(localPath(path), { type: 'info', message })
  return true
}

/** Keeps the amount for Back, even if the browser does not cache the page. */
function keepInAddress(usd: number): void {
  window.history.replaceState(window.history.state, '', pageWith(usd))
}

function pageWith(usd: number): string {
  return localPath(`${page}?amount=${usd}`)
}
