import { atom, computed, type ReadableAtom } from 'nanostores'
import { type CallReceipt, type CallRecord, callReceipt as receiptEndpoint } from '#lib/api/calls.ts'
import { type Call, type Callee, isLive } from '#lib/rules/call.ts'
import type { CallEnding } from '#lib/rules/call-endings.ts'
import { entryOfNumber } from '#lib/rules/countries.ts'
import { authorised } from './api.ts'
import { $balance, type ShownBalance } from './balance.ts'
import { $call } from './call.ts'
import { $dial, chooseCountry, loadPhoneRules, setNumber } from './dial.ts'
import { feedback } from './feedback.ts'
import { followSession } from './follow-session.ts'
import { placeCall } from './place-call.ts'
import { $session } from './session.ts'
import { wizard } from './wizard.ts'

export interface EndedCall {
  readonly receipt: CallReceipt
  readonly callee: Callee
  /** As the page saw it: it knows who hung up. */
  readonly ending: CallEnding
  /** What the number is, in words, such as `mobile`; null where that is not known. */
  readonly line: string | null
  /** Another number was begun meanwhile: nothing is to lie over it. */
  readonly overtaken: boolean
}

/** What was entered as the last call ended. */
let enteredAtEnd = $dial.get()
/** Counts changes of the user, so that nobody sees the receipt of somebody else. */
let turn = 0

const $open = atom<EndedCall | null>(null)

/** The receipt of the call that has just ended, while it is to be seen: one thing at a time asks for attention. */
export const $callEnded: ReadableAtom<EndedCall | null> = computed(
  [$open, feedback.$prompt, wizard.$tutorial],
  (open, prompt, tutorial) => (prompt.state === 'closed' && tutorial === null ? open : null),
)

async function lineOf({ e164, country }: Callee): Promise<string | null> {
  try {
    const { parseNumber, lineWords } = await loadPhoneRules()
    const verdict = parseNumber(e164, country)
    return verdict.kind === 'ok' ? lineWords(verdict.type, null) : null
  } catch {
    return null // The receipt does without.
  }
}

async function load(callId: string): Promise<CallReceipt | null> {
  const result = await authorised(receiptEndpoint, { params: { id: callId } }, { skipLogoutOnFail: true })
  return result.ok ? result.value : null
}

/**
 * Shows the receipt of an answered call that the server has settled. Without one there is nothing to show: the words
 * about the call stand in the dialler all the same.
 * @param of the call as the page has it; once another has begun, nobody looks for this one's receipt
 */
export async function showCallEnded(
  of: Call,
  record: CallRecord,
  callee: Callee,
  ending: CallEnding,
): Promise<void> {
  const mine = turn
  const before = $balance.get().microUsd ?? 0
  const [receipt, line] = await Promise.all([load(record.id), lineOf(callee)])
  if (receipt === null || $call.get() !== of || mine !== turn) return
  if ($session.get().status !== 'signed_in') return
  $open.set({ receipt, callee, ending, line, overtaken: $dial.get() !== enteredAtEnd })
  // A credit may have come while it was loading.
  if (receipt.credit === null && ($balance.get().microUsd ?? 0) > before) void refreshCallEnded()
}

export function closeCallEnded(): void {
  $open.set(null)
}

/** What was given back after the receipt came, by itself or as it was claimed, belongs on it. */
export async function refreshCallEnded(): Promise<void> {
  const shown = $open.get()
  if (shown === null) return
  const receipt = await load(shown.receipt.call.id)
  if (receipt !== null && $open.get() === shown) $open.set({ ...shown, receipt })
}

/** Calls the same number once more, with what was played then. */
export async function callAgain({ e164, country, extension }: Callee): Promise<void> {
  closeCallEnded()
  chooseCountry(entryOfNumber(e164, country.isoCode))
  setNumber(e164, extension)
  await placeCall()
}

/** The receipt gives way to the next call, and to whoever logs out; a balance that changes may be a credit for it. */
export function followCallEnded(): void {
  $call.listen(call => {
    if (isLive(call)) closeCallEnded()
    else if (call.state === 'ended') enteredAtEnd = $dial.get()
  })
  followSession(() => {
    turn += 1
    closeCallEnded()
  })
  $balance.listen(({ microUsd }, before: ShownBalance | undefined) => {
    const shown = $open.get()
    if (shown?.receipt.credit === null && (microUsd ?? 0) > (before?.microUsd ?? 0)) void refreshCallEnded()
  })
}
