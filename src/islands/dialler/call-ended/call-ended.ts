import { atom, computed, type ReadableAtom } from 'nanostores'
import { type CallReceipt, type CallRecord, callReceipt as receiptEndpoint } from '#lib/api/calls.ts'
import type { EndReason } from '#lib/calls/end-reasons.ts'
import { entryOfNumber } from '#lib/numbers/countries.ts'
import { authorised } from '#session/api.ts'
import { followSession, rememberUser } from '#session/follow-session.ts'
import { $session } from '#session/session.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { type Call, type Callee, isLive } from '#voice/call.ts'
import { $balance, type ShownBalance } from '../call/balance.ts'
import { $call } from '../call/call.ts'
import { placeCall } from '../call/place-call.ts'
import { textTalk } from '../call/typed-text.ts'
import { feedback } from '../feedback/feedback.ts'
import { $notice, dismissNotice } from '../notice.ts'
import { $dial, enterNumber } from '../number/dial.ts'
import { wizard } from '../tutorial/wizard.ts'
import { isWide } from '../use-wide.ts'

export interface EndedCall {
  readonly receipt: CallReceipt
  readonly callee: Callee
  /** As the page saw it: only the page knows who hung up. */
  readonly endReason: EndReason
  /** Such as `mobile`; null if unknown. */
  readonly numberType: string | null
  /** Another number has been entered; nothing may cover it. */
  readonly superseded: boolean
}

let enteredAtEnd = $dial.get()

const $open = atom<EndedCall | null>(null)

/** The receipt of the call that has just ended; hidden during the tutorial. */
export const $callEnded: ReadableAtom<EndedCall | null> = computed(
  [$open, wizard.$tutorial],
  (open, tutorial) => (tutorial === null ? open : null),
)

/** On small screens, a receipt covers the number of the next call, unless that was entered first. */
function isCoverable({ superseded }: EndedCall): boolean {
  return !superseded || isWide()
}

export const isReceiptOpen = () => $open.get() !== null

async function numberTypeOf({ e164, country }: Callee): Promise<string | null> {
  try {
    const { parseNumber, numberTypeLabel } = await loadPhoneRules()
    const verdict = parseNumber(e164, country)
    return verdict.kind === 'ok' ? numberTypeLabel(verdict.type, null) : null
  } catch {
    return null
  }
}

async function load(callId: string): Promise<CallReceipt | null> {
  const options = { skipLogoutOnFail: true, timeoutMs }
  const result = await authorised(receiptEndpoint, { params: { id: callId } }, options)
  return result.ok ? result.value : null
}

/** What waits for the receipt goes on without it after this time. */
const timeoutMs = 5000

/**
 * If the receipt does not load, the notice is enough.
 * @param of the page's call; a newer one cancels the receipt
 * @returns whether the user sees the receipt
 */
export async function showCallEnded(
  of: Call,
  record: CallRecord,
  callee: Callee,
  endReason: EndReason,
): Promise<boolean> {
  const isSameUser = rememberUser()
  const before = $balance.get().microUsd ?? 0
  const loadingType = numberTypeOf(callee)
  const receipt = await load(record.id)
  if (receipt === null || $call.get() !== of || !isSameUser()) return false
  if ($session.get().status !== 'signed_in') return false
  const ended: EndedCall = {
    receipt,
    callee,
    endReason,
    numberType: null,
    superseded: $dial.get() !== enteredAtEnd,
  }
  $open.set(ended)
  void loadingType.then(numberType => addNumberType(record.id, numberType))
  // A goodwill credit may have arrived while it was loading.
  if (receipt.credit === null && ($balance.get().microUsd ?? 0) > before) void refreshCallEnded()
  return isCoverable(ended)
}

/** The receipt does not wait for the numbering plans. */
function addNumberType(callId: string, numberType: string | null): void {
  const shown = $open.get()
  if (numberType !== null && shown?.receipt.call.id === callId) $open.set({ ...shown, numberType })
}

export function closeCallEnded(): void {
  $open.set(null)
  textTalk.clear()
  if ($notice.get()?.inReceipt) dismissNotice()
}

/** The user went on to the next number, so nothing may open over it. */
export function giveWayToNumber(): void {
  closeCallEnded()
  feedback.close()
}

/** Reloads the receipt, to show a goodwill credit that came after it. */
export async function refreshCallEnded(): Promise<void> {
  const shown = $open.get()
  if (shown === null) return
  const receipt = await load(shown.receipt.call.id)
  const now = $open.get()
  if (receipt !== null && now?.receipt.call.id === receipt.call.id) $open.set({ ...now, receipt })
}

/** Enters the callee's number and calls it. Does nothing during a call. */
export async function callAgain({ e164, country, extension }: Callee): Promise<void> {
  if (isLive($call.get())) return
  closeCallEnded()
  enterNumber(entryOfNumber(e164, country.isoCode), e164, extension)
  await placeCall()
}

/** Hides the receipt on the next call or logout; reloads it when the balance changes. */
export function followCallEnded(): void {
  $call.listen(call => {
    if (isLive(call)) closeCallEnded()
    else if (call.state === 'ended') enteredAtEnd = $dial.get()
  })
  followSession(closeCallEnded)
  $balance.listen(({ microUsd }, before: ShownBalance | undefined) => {
    const shown = $open.get()
    if (shown?.receipt.credit === null && (microUsd ?? 0) > (before?.microUsd ?? 0)) void refreshCallEnded()
  })
}
