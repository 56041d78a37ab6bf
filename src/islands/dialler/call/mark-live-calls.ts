import { isLive } from '#voice/call.ts'
import { $call } from './call.ts'

export function markLiveCalls(): void {
  $call.subscribe(call => {
    const { dataset } = document.documentElement
    if (isLive(call)) dataset['call'] = 'live'
    else delete dataset['call']
  })
}
