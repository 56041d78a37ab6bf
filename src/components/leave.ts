import { logout } from '#stores/session.ts'

document.documentElement.dataset.session = 'out'
await logout()
location.assign('/')
