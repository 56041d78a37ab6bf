// The frame's script loads this file at the first press of Logout. If the user keeps a running call, later presses
// reach the listener below.
import { localPath } from '#lib/i18n/path.ts'
import { logout } from '#session/session.ts'
import { leaveTexts } from './leave-texts.ts'

const { dataset } = document.documentElement

async function leave(): Promise<void> {
  if (dataset['call'] === 'live') {
    if (!confirm(leaveTexts.inCall)) return
    const { callLine } = await import('#islands/dialler/call/call.ts')
    callLine.hangUp()
  }
  dataset['session'] = 'out'
  await logout()
  location.assign(localPath('/'))
}

addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('.logout')) void leave()
})
await leave()
