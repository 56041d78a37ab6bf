import { localPath } from '#lib/i18n/path.ts'
import { topUpUsd } from '#lib/money/top-up.ts'
import { go } from '#session/navigation.ts'
import { redirectWithToast, showToast } from '#session/toasts.ts'
import { $user } from '#session/user.ts'
import { type CalleeAfterCheckout, keepCalleeForCheckout } from '#shared/checkout/call-after-checkout.ts'
import { type HostedCheckout, openHostedCheckout } from '#shared/checkout/hosted-checkout.ts'
import { checkout } from '#shared/checkout/texts.ts'
import { $call } from '../call/call.ts'
import { $extension, verdictNow } from '../number/dial.ts'
import { $rate } from '../number/rate.ts'
import { texts } from './texts.ts'

/** The amount for a call to the number in the field, in whole US dollars. */
export function usdForEnteredNumber(): number {
  const rate = $rate.get()
  return topUpUsd('microUsdPerMinute' in rate ? rate.microUsdPerMinute : null)
}

/** The number in the field, or else of the last call. */
export function calleeOfField(): CalleeAfterCheckout | null {
  const verdict = verdictNow()
  if (verdict?.kind === 'ok')
    return { e164: verdict.e164, isoCode: verdict.isoCode, extension: $extension.get() }
  const call = $call.get()
  if (call.state === 'idle') return null
  const { e164, country, extension } = call.callee
  return { e164, isoCode: country.isoCode, extension }
}

/**
 * Leads straight to the hosted checkout. The page that comes back has this callee filled in, paid or cancelled.
 * @param usd whole US dollars
 * @returns `keep`: the browser is leaving the page
 */
export async function topUp(usd: number, callee: CalleeAfterCheckout | null): Promise<'keep' | 'done'> {
  const opened = await openCheckout(usd)
  if (opened.kind === 'refused') {
    showToast({ type: 'error', message: opened.message })
    return 'done'
  }
  if (callee !== null) keepCalleeForCheckout(callee, Date.now())
  if (opened.kind === 'open') go(opened.url)
  else redirectWithToast(localPath('/login'), { type: 'info', message: opened.message })
  return 'keep'
}

/** As `topUp`, in a new tab: leaving the page would hang up. To be called within the press, or browsers block the tab. */
export async function topUpInNewTab(usd: number): Promise<'done'> {
  const tab = window.open('', '_blank')
  if (tab === null) {
    showToast({ type: 'error', message: texts.popUpBlocked })
    return 'done'
  }
  tab.opener = null
  tab.document.title = checkout.opening
  const opened = await openCheckout(usd)
  if (opened.kind === 'open') {
    tab.location.replace(opened.url)
  } else {
    tab.close()
    showToast({ type: 'error', message: opened.message })
  }
  return 'done'
}

function openCheckout(usd: number): Promise<HostedCheckout> {
  const autoTopUpEnabled = $user.get()?.auto_topup_enabled === true
  return openHostedCheckout({ usd, autoTopUpEnabled, returnTo: 'call' })
}
