import { isLive } from '#lib/rules/call.ts'
import { $call } from './call.ts'

/** Whether the page is in a call, for what must not happen during one. */
export function markLiveCalls(): void {
  $call.subscribe(call => {
    const { dataset } = document.documentElement
    if (isLive(call)) dataset['call'] = 'live'
    else delete dataset['call']
  })
}
