import { logout } from '#stores/session.ts'

const { dataset } = document.documentElement
if (dataset.call === 'live') {
  const { callLine } = await import('#stores/call.ts')
  callLine.hangUp()
}
dataset.session = 'out'
await logout()
location.assign('/')
