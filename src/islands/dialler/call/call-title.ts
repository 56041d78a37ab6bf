import { formatTimer } from '#lib/calls/duration.ts'
import { company } from '#lib/company.ts'
import { $contactNames } from '#shared/contacts.ts'
import { type Callee, isAnswered, isLive, type LiveCall } from '#voice/call.ts'
import { $call } from './call.ts'
import { texts } from './texts.ts'

/** The callee's saved name, or the number. */
export function partyOf({ callee }: { readonly callee: Callee }): string {
  return $contactNames.get().get(callee.e164) ?? callee.formatted
}

/** `04:27 Anjali Rao · Farline`, to be seen in a background tab. */
function titleOf(call: LiveCall, nowMs: number): string {
  const names = { party: partyOf(call), company: company.name }
  return isAnswered(call)
    ? texts.titleTalking({ time: formatTimer(nowMs - call.answeredAtMs), ...names })
    : texts.titleRinging(names)
}

export function followTitle(): void {
  let before: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function show(): void {
    clearTimeout(timer)
    const call = $call.get()
    if (!isLive(call)) {
      if (before !== null) document.title = before
      before = null
      return
    }
    before ??= document.title
    const nowMs = performance.now()
    document.title = titleOf(call, nowMs)
    if (isAnswered(call)) timer = setTimeout(show, 1000 - ((nowMs - call.answeredAtMs) % 1000))
  }

  $call.subscribe(show)
  $contactNames.listen(show)
}
