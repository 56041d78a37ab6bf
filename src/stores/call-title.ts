import { company } from '#lib/company.ts'
import { isAnswered, isLive, type LiveCall } from '#lib/rules/call.ts'
import { formatTimer } from '#lib/rules/duration.ts'
import { $call } from './call.ts'
import { $contactNames } from './contacts.ts'

/** Whom a call goes to, in a few words. */
export function partyOf({ callee }: LiveCall): string {
  return $contactNames.get().get(callee.e164) ?? callee.formatted
}

/** `04:27 Anjali Rao · Farline`: what a tab shows of its call from behind others. */
function titleOf(call: LiveCall, nowMs: number): string {
  const state = isAnswered(call) ? formatTimer(nowMs - call.answeredAtMs) : 'Ringing…'
  return `${state} ${partyOf(call)} · ${company.name}`
}

/** Shows the call in the page's title, its timer by the second; afterwards the title is as before. */
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
