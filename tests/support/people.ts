import { expect, type Page } from 'playwright/test'
import { createAuthenticatorApp } from './authenticator-app.ts'
import type { TestServer } from './test-server.ts'

export const password = 'correct horse battery'

/** A document of the site that loads nothing else, for whoever needs only its origin. */
export const blankPage = '/robots.txt'

let people = 0
/** An address that is new in this run. */
export function newAddress(name = 'person'): string {
  people += 1
  return `${name}-${process.pid}-${people}@example.com`
}

export interface Arrival {
  /** Has not seen the first-call tutorial, so the dialler shows it. */
  readonly newHere?: boolean
  /** The first page that is opened, by default the dialler. A page costs a story a second: `blankPage` opens none. */
  readonly at?: string
}

/** Registers, confirms and signs in over HTTP, with the local inbox, and opens a page. @returns the new user's address */
export async function signUp(
  page: Page,
  { email = newAddress(), ...arrival }: Arrival & { readonly email?: string } = {},
): Promise<string> {
  await page.request.post('/api/auth/register', { data: { email, password } })
  const token = await readConfirmationToken(page, email)
  await page.request.post('/api/auth/verify-email', { data: { token } })
  await logIn(page, email, arrival)
  return email
}

/**
 * Signs in over HTTP and opens a page. The form has stories of its own (`tests/e2e/account-forms.test.ts`); every other story
 * would open one page more for it. The browser has seen the tutorial unless `newHere`.
 */
export async function logIn(
  page: Page,
  email: string,
  { newHere = false, at = '/call' }: Arrival = {},
): Promise<void> {
  await forgetSession(page)
  const answer = await page.request.post('/api/auth/login', { data: { email, password } })
  expect(answer.status()).toBe(200)
  const { token } = (await answer.json()) as { token: string }
  // The token goes into the storage of this origin, so a document of it must be open.
  await page.goto(blankPage)
  await page.evaluate(given => localStorage.setItem('token', given), token)
  if (!newHere) await page.evaluate(markTutorialSeen)
  if (at !== blankPage) await page.goto(at)
}

/** Signs up a user with a second factor, which operators need. Opens no page. */
export async function signUpSecured(page: Page, farline: TestServer): Promise<string> {
  // Another page would renew the session while the second factor is set up, and lose it again.
  const email = await signUp(page, { email: newAddress('operator'), at: blankPage })
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { authorization: `Bearer ${token}` }
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, headers })
    return (await answer.json()) as { secret?: string; token?: string }
  }
  const { secret = '' } = await post('/api/protected/security/authenticator/start', { password: '' })
  const app = createAuthenticatorApp(secret)
  await post('/api/protected/security/authenticator', { code: app.code(await farline.now()) })
  await page.request.post('/api/auth/login', { data: { email, password } })
  // The code that set up the app cannot be used again.
  const secured = await post('/api/auth/second-factor/code', { code: app.code(await farline.now(), 1) })
  await page.evaluate(fresh => localStorage.setItem('token', fresh), secured.token ?? '')
  return email
}

/** Removes all traces of earlier sign-ins: registering through the page signs in too. */
async function forgetSession(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /(refresh|signed-in)$/ })
  if (page.url().startsWith('http')) await page.evaluate(() => localStorage.removeItem('token'))
}

/** Runs in the browser. */
function markTutorialSeen(): void {
  const preferences = { hasSeenWizard: true, lastShown: null, lastDismissed: null }
  localStorage.setItem('wizardPreferences', JSON.stringify(preferences))
}

export async function readConfirmationToken(page: Page, email: string): Promise<string> {
  const link = /verify-email#token=([\w-]+)/
  let token: string | undefined
  await expect(async () => {
    const inbox: { to: string; text: string }[] = await (await page.request.get('/dev/inbox.json')).json()
    token = link.exec(inbox.find(mail => mail.to === email && link.test(mail.text))?.text ?? '')?.[1]
    expect(token).toBeDefined()
  }).toPass({ intervals: [50] })
  return token ?? ''
}

/** From the local inbox, without a page of Playwright's. A page may say that a mail is sent before it is in there. */
export async function readConfirmationLink(url: string, email: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const inbox = (await (await fetch(`${url}/dev/inbox.json`)).json()) as { to: string; text: string }[]
    const mail = inbox.find(({ to }) => to === email)?.text ?? ''
    link = /https?:\/\/\S+\/verify-email#token=[\w-]+/.exec(mail)?.[0]
    expect(link).toBeDefined()
  }).toPass({ timeout: 10_000, intervals: [50] })
  return link ?? ''
}

export async function readResetLink(page: Page, email: string): Promise<string> {
  const link = /\/reset-password#token=[\w-]+/
  let path: string | undefined
  await expect(async () => {
    const inbox: { to: string; text: string }[] = await (await page.request.get('/dev/inbox.json')).json()
    path = link.exec(inbox.find(mail => mail.to === email && link.test(mail.text))?.text ?? '')?.[0]
    expect(path).toBeDefined()
  }).toPass({ intervals: [50] })
  return path ?? ''
}

export async function dial(page: Page, number: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
  await page.getByRole('button', { name: 'Call', exact: true }).click()
}

/** Saves a US number under a name and waits for the toast. */
export async function saveNumber(page: Page, number: string, name = 'Aunt Rose'): Promise<void> {
  await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
  await page.getByRole('button', { name: '+ Save this number' }).click()
  const form = page.getByRole('dialog', { name: 'Save Contact' })
  await form.getByLabel('Contact Name').fill(name)
  await form.getByRole('button', { name: 'Save contact' }).click()
  await expect(page.getByText('Contact saved!')).toBeVisible()
}
