import type { CallReceipt, CallRecord } from '#lib/api/calls.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'

export function netCostMicroUsd(call: CallRecord): number {
  return usdToMicroUsd(call.cost) - usdToMicroUsd(call.credited ?? 0)
}

export function creditLabel(reason: NonNullable<CallReceipt['credit']>['reason']): string {
  switch (reason) {
    case 'short':
      return 'Refund, under 10 seconds'
    case 'no_sound':
      return 'Refund, no sound came back'
    case 'claim':
      return 'Refund, bad call'
    case 'restart':
      return 'Refund, we restarted during your call'
    default:
      return reason satisfies never
  }
}

/** The support form, which then names the call. Ids only: a phone number never stands in an address. */
export function supportPath(callId: string): string {
  return `/support?call=${callId}`
}
