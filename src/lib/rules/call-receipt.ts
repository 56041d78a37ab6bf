import type { CallReceipt, CallRecord } from '../api/calls.ts'
import { formatCharge, usdToMicroUsd } from './money.ts'

/** What a call came to once what was given back is taken off. Micro-dollars. */
export function netCostMicroUsd(call: CallRecord): number {
  return usdToMicroUsd(call.cost) - usdToMicroUsd(call.credited ?? 0)
}

/** Why a call was given back, for the line of its receipt. */
export function creditWords(reason: NonNullable<CallReceipt['credit']>['reason']): string {
  switch (reason) {
    case 'short':
      return 'Credited, under 10 seconds'
    case 'no_sound':
      return 'Credited, no sound came back'
    case 'claim':
      return 'Credited, claimed as bad'
    default:
      return reason satisfies never
  }
}

/** What of a call was given back, in a word for a list; undefined where nothing was. */
export function creditedText(call: CallRecord): string | undefined {
  if (call.credited === undefined) return undefined
  return call.credited < call.cost ? `${formatCharge(usdToMicroUsd(call.credited))} credited` : 'Credited'
}

/** Where a person looks at a call: the message names it already. */
export function supportPath(callId: string): string {
  return `/support?call=${callId}`
}
