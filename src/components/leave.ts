import { logout } from '#stores/session.ts'

const { dataset } = document.documentElement
if (dataset.call !== 'live' || (await endCall())) {
  dataset.session = 'out'
  await logout()
  location.assign('/')
}

/** Logging out in a call hangs up, if that is what the caller wants. */
async function endCall(): Promise<boolean> {
  if (!confirm('You are in a call. Hang up and log out?')) return false
  const { callLine } = await import('#stores/call.ts')
  callLine.hangUp()
  return true
}
