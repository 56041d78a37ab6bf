// The frame's script loads this file at the first press of Logout. If the user keeps a running call, later presses
// reach the listener below.
import { logout } from '#session/session.ts'

const { dataset } = document.documentElement

async function leave(): Promise<void> {
  if (dataset['call'] === 'live') {
    if (!confirm("You're in a call. Hang up and log out?")) return
    const { callLine } = await import('#islands/dialler/call/call.ts')
    callLine.hangUp()
  }
  dataset['session'] = 'out'
  await logout()
  location.assign('/')
}

addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('.logout')) void leave()
})
await leave()
