import { expect, type Page } from 'playwright/test'

export const password = 'correct horse battery'

let people = 0
/** An address nobody has used yet in this run. */
export function newAddress(name = 'person'): string {
  people += 1
  return `${name}-${process.pid}-${people}@example.com`
}

export interface Newness {
  /** Has never seen the first-call tutorial: it comes up in the dialler. */
  readonly newHere?: boolean
}

/** Registers and confirms by the local inbox over HTTP, then signs in through the page. */
export async function signUp(page: Page, email = newAddress(), newness: Newness = {}): Promise<string> {
  await page.request.post('/api/auth/register', { data: { email, password } })
  const token = await readConfirmationToken(page, email)
  await page.request.post('/api/auth/verify-email', { data: { token } })
  await logIn(page, email, newness)
  return email
}

/** Signs in through the page, in a browser that has seen the tutorial unless `newHere`. */
export async function logIn(page: Page, email: string, { newHere = false }: Newness = {}): Promise<void> {
  await forgetSession(page)
  await page.goto('/login')
  if (!newHere) await page.evaluate(markTutorialSeen)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/call')
}

/** As if this browser had never signed in: registering through the page does. */
async function forgetSession(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /refresh$/ })
  if (page.url().startsWith('http')) await page.evaluate(() => localStorage.removeItem('token'))
}

/** Runs in the browser. */
function markTutorialSeen(): void {
  const preferences = { hasSeenWizard: true, lastShown: null, lastDismissed: null }
  localStorage.setItem('wizardPreferences', JSON.stringify(preferences))
}

/** The token of the newest confirmation link sent to an address. */
export async function readConfirmationToken(page: Page, email: string): Promise<string> {
  const link = /verify-email\?token=([\w-]+)/
  let token: string | undefined
  await expect(async () => {
    const inbox: { to: string; text: string }[] = await (await page.request.get('/dev/inbox.json')).json()
    token = link.exec(inbox.find(mail => mail.to === email && link.test(mail.text))?.text ?? '')?.[1]
    expect(token).toBeDefined()
  }).toPass()
  return token ?? ''
}

/** The path of the newest link to choose a password anew that was sent to an address. */
export async function readResetLink(page: Page, email: string): Promise<string> {
  const link = /\/reset-password\/[\w-]+/
  let path: string | undefined
  await expect(async () => {
    const inbox: { to: string; text: string }[] = await (await page.request.get('/dev/inbox.json')).json()
    path = link.exec(inbox.find(mail => mail.to === email && link.test(mail.text))?.text ?? '')?.[0]
    expect(path).toBeDefined()
  }).toPass()
  return path ?? ''
}

/** Types a number into the dialler and presses Call. */
export async function dial(page: Page, number: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
  await page.getByRole('button', { name: 'Call', exact: true }).click()
}

/** Saves a number of the United States under a name; a toast says so. */
export async function saveNumber(page: Page, number: string, name = 'Aunt Rose'): Promise<void> {
  await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
  await page.getByRole('button', { name: '+ Save this number' }).click()
  const form = page.getByRole('dialog', { name: 'Save Contact' })
  await form.getByLabel('Contact Name').fill(name)
  await form.getByRole('button', { name: 'Save contact' }).click()
  await expect(page.getByText('Contact saved!')).toBeVisible()
}
