import { afterEach, beforeEach, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, type TestServer, tokenFor } from './fake-browser.ts'

const profile = {
  id: 'u1',
  email: 'anna@example.com',
  email_verified: true,
  credits: 1.5,
  has_used_free_call: false,
  auto_topup_enabled: false,
  can_call: true,
  hide: false,
  has_submitted_feedback: false,
  has_made_call: false,
  hasSavedPaymentMethod: false,
}

interface Backend {
  good: string
  refreshStatus: number
  refreshDelayMs: number
  loginStatus: number
  logoutStatus: number
  logoutDelayMs: number
  meStatus: number | null
  down: boolean
  /** What it has answered that sets or clears the cookie. */
  log: string[]
}

const started = (): Backend => ({
  good: 'none yet',
  refreshStatus: 200,
  refreshDelayMs: 0,
  loginStatus: 200,
  logoutStatus: 204,
  logoutDelayMs: 0,
  meStatus: null,
  down: false,
  log: [],
})

/** A server in which one access token at a time is good, and refreshing replaces it. */
export const backend = started()
let server: TestServer

/** `METHOD path` of every request so far. */
export const requests = () => server.requests
const timesAsked = (line: string) => requests().filter(request => request === line).length
export const refreshes = () => timesAsked('POST /api/auth/refresh-token')
export const profileRequests = () => timesAsked('GET /api/protected/me')
export const logouts = () => timesAsked('POST /api/auth/logout')

/** The hint that the server sets and clears with the refresh cookie, which no page can read. */
export const setHint = () => Object.assign(document, { cookie: 'other=1; __Host-signed-in=yes' })
const clearHint = () => Object.assign(document, { cookie: '' })

/** Gives each test a fresh browser, and a backend in its first state. */
export function serveBackend(): void {
  beforeEach(async () => {
    freshBrowser()
    vi.stubGlobal('document', { cookie: '', documentElement: { dataset: {} } })
    Object.assign(backend, started())
    server = await serve((request, response) => {
      if (backend.down) return void response.destroy()
      switch (`${request.method} ${request.url}`) {
        case 'POST /api/auth/refresh-token':
          setTimeout(() => {
            backend.log.push('refreshed')
            if (backend.refreshStatus === 401) clearHint()
            if (backend.refreshStatus !== 200) return refuse(response, backend.refreshStatus, 'no_session')
            setHint()
            backend.good = tokenFor(900)
            answer(response, 200, { token: backend.good })
          }, backend.refreshDelayMs)
          return
        case 'POST /api/auth/login':
          if (backend.loginStatus !== 200) return refuse(response, backend.loginStatus, 'wrong_credentials')
          backend.log.push('logged in')
          setHint()
          backend.good = tokenFor(900)
          return answer(response, 200, { token: backend.good })
        case 'POST /api/auth/logout':
          if (backend.logoutStatus !== 204) return refuse(response, backend.logoutStatus, 'unavailable')
          setTimeout(() => {
            backend.log.push('logged out')
            clearHint()
            answer(response, 204)
          }, backend.logoutDelayMs)
          return
        default:
          if (backend.meStatus !== null) return refuse(response, backend.meStatus, 'unauthorized')
          if (request.headers.authorization === `Bearer ${backend.good}`)
            return answer(response, 200, profile)
          refuse(response, 401, 'unauthorized')
      }
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}
