import { createAuthenticatorApp } from '#support/authenticator-app.ts'
import { createAuthenticator } from '#support/software-authenticator.ts'
import { password, type Web } from '#support/web.ts'

/** A browser: what it holds, and what it asks. */
export interface Browser {
  cookies: Record<string, string>
  token: string | undefined
  ask(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object): Promise<Answered>
  logIn(email: string, typed?: string): Promise<Answered>
}

export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of whichever endpoint was asked
  readonly body: any
  readonly code: string | undefined
}

export function openBrowser(web: Pick<Web, 'app'>, remoteAddress = '203.0.113.50'): Browser {
  const browser: Browser = {
    cookies: {},
    token: undefined,
    ask: async (method, url, payload) => {
      const cookie = Object.entries(browser.cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
      const answer = await web.app.inject({
        method,
        url,
        remoteAddress,
        ...(payload === undefined ? {} : { payload }),
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          ...(browser.token === undefined ? {} : { authorization: `Bearer ${browser.token}` }),
        },
      })
      for (const { name, value } of answer.cookies) {
        if (value === '') delete browser.cookies[name]
        else browser.cookies[name] = value
      }
      const body = answer.body === '' ? undefined : answer.json()
      if (url.startsWith('/api/auth/') && typeof body?.token === 'string') browser.token = body.token
      return { status: answer.statusCode, body, code: body?.error?.code }
    },
    logIn: (email, typed = password) => browser.ask('POST', '/api/auth/login', { email, password: typed }),
  }
  return browser
}

/** A browser that somebody with a new account is signed in with. */
export async function newAccount(web: Web, email: string, remoteAddress?: string): Promise<Browser> {
  const { token, cookie } = await web.signUp(email)
  const browser = openBrowser(web, remoteAddress)
  browser.token = token
  browser.cookies['refresh'] = cookie.slice(cookie.indexOf('=') + 1)
  return browser
}

export const security = '/api/protected/security'

/** Sets an authenticator app up. @returns what it shows, and the recovery codes that came with it */
export async function addAuthenticator(web: Web, browser: Browser) {
  const started = await browser.ask('POST', `${security}/authenticator/start`, { password: '' })
  const app = createAuthenticatorApp(started.body.secret)
  const code = (steps = 0) => app.code(web.clock.now(), steps)
  const done = await browser.ask('POST', `${security}/authenticator`, { code: code() })
  return { code, started, done, recoveryCodes: done.body.recoveryCodes as string[] }
}

/** After the password: a code of an authenticator app, or a recovery code. */
export const secondStep = (browser: Browser, code: string) =>
  browser.ask('POST', '/api/auth/second-factor/code', { code })

/** The second factors of whoever the browser is signed in as. */
export const listed = async (browser: Browser) => (await browser.ask('GET', security)).body

/** The subjects of the mails to somebody, newest first. */
export const subjectsTo = async (web: Web, email: string) =>
  (await web.readMails()).filter(({ to }) => to === email).map(({ subject }) => subject)

export async function addPasskey(
  browser: Browser,
  authenticator = createAuthenticator(),
  name = 'My telephone',
) {
  const started = await browser.ask('POST', `${security}/passkeys/start`, { password: '' })
  const response = authenticator.create(started.body.options)
  const done = await browser.ask('POST', `${security}/passkeys`, { response, name })
  return { authenticator, started, done }
}
