import type { CallReceipt, CallRecord } from '#lib/api/calls.ts'
import { localPath } from '#lib/i18n/path.ts'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { credit } from './call-credit-texts.ts'

export function netCostMicroUsd(call: CallRecord): number {
  return usdToMicroUsd(call.cost) - usdToMicroUsd(call.credited ?? 0)
}

export function creditLabel(reason: NonNullable<CallReceipt['credit']>['reason']): string {
  return credit[reason]
}

/** The support form, which then names the call. Ids only: a phone number never stands in an address. */
export function supportPath(callId: string): string {
  return localPath(`/support?call=${callId}`)
}
