import { useStore } from '@nanostores/react'
import { dollarsText } from '#lib/money/money.ts'
import { topUpUsd } from '#lib/money/top-up.ts'
import { checkout } from '#shared/checkout/texts.ts'
import { useBusy } from '#ui/use-busy.ts'
import type { AnsweredCall, Callee } from '#voice/call.ts'
import { $rate } from '../number/rate.ts'
import { texts } from './texts.ts'
import { calleeOfField, topUp, topUpInNewTab, usdForEnteredNumber } from './top-up.ts'

/** In the receipt of a call after which the balance buys no further minute. @param rateMicroUsd of that call */
export function TopUpAndCallAgain({
  callee,
  rateMicroUsd,
}: {
  readonly callee: Callee
  readonly rateMicroUsd: number
}) {
  const { slow, run } = useBusy()
  const usd = topUpUsd(rateMicroUsd)
  const { e164, country, extension } = callee
  return (
    <button
      type="button"
      className="btn primary"
      onClick={() => run(() => topUp(usd, { e164, isoCode: country.isoCode, extension }))}
    >
      {slow ? checkout.opening : texts.callAgain({ amount: dollarsText(String(usd)) })}
    </button>
  )
}

/** In the message that a call was rejected for want of credits. */
export function TopUpForCall() {
  useStore($rate)
  const { slow, run } = useBusy()
  const usd = usdForEnteredNumber()
  return (
    <button type="button" onClick={() => run(() => topUp(usd, calleeOfField()))}>
      {slow ? texts.opening : texts.topUp({ amount: dollarsText(String(usd)) })}
    </button>
  )
}

/** In the warning of low credits. The call goes on, and lasts longer once the credits are there. */
export function TopUpDuringCall({ call }: { readonly call: AnsweredCall }) {
  const { slow, run } = useBusy()
  const usd = topUpUsd(call.rateMicroUsd)
  return (
    <button type="button" onClick={() => run(() => topUpInNewTab(usd))}>
      {slow ? texts.opening : texts.topUp({ amount: dollarsText(String(usd)) })}
      <span className="sr">{texts.newTab}</span>
    </button>
  )
}
