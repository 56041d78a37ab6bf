/**
 * Logs out. The frame's script fetches this one at the first press of a Logout button; further presses, after
 * a call was not given up, find the listener below.
 */
import { logout } from '#stores/session.ts'

const { dataset } = document.documentElement

async function leave(): Promise<void> {
  if (dataset['call'] === 'live') {
    if (!confirm('You are in a call. Hang up and log out?')) return
    const { callLine } = await import('#stores/call.ts')
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
