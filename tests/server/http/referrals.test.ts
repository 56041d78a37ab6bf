import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'

const web = keepForFile(await createWeb())

const ask = (token: string) =>
  web.app.inject({ method: 'GET', url: '/api/referrals', headers: { authorization: `Bearer ${token}` } })
const post = (url: string, payload: object) => web.app.inject({ method: 'POST', url, payload })

/** The tokens of the confirmation mails to an address, newest first. */
async function tokensTo(email: string): Promise<string[]> {
  const mails = (await web.readMails()).filter(({ to }) => to === email)
  return mails.flatMap(({ text }) => /verify-email#token=([\w-]+)/.exec(text)?.[1] ?? [])
}

async function referrer(email: string) {
  const { token } = await web.signUp(email)
  const { link } = (await ask(token)).json()
  return { token, code: new URL(link).searchParams.get('ref') }
}

test('the page is for who is signed in', async () => {
  expect((await web.app.inject({ method: 'GET', url: '/api/referrals' })).statusCode).toBe(401)
})

test('a user who signs up with a code is listed once the address is confirmed, even by an e-mail sent again', async () => {
  const { token, code } = await referrer('anna@example.com')
  const email = 'ben@example.org'
  await post('/api/auth/register', { email, password, referralId: code })
  await post('/api/auth/resend-verification', { email })
  expect((await ask(token)).json()).toMatchObject({ joined: 0, people: [] })
  const [newest] = await tokensTo(email)
  expect((await post('/api/auth/verify-email', { token: newest })).statusCode).toBe(200)
  expect((await ask(token)).json()).toMatchObject({
    reward: 5,
    leastPayment: 10,
    joined: 1,
    paid: 0,
    people: [{ email: 'b•••@e•••.org', state: 'joined', earned: 0 }],
  })
})

test('whoever registers a stranger’s address with their own code gains nothing by it', async () => {
  const { token, code } = await referrer('eve@example.com')
  const email = 'stranger@example.org'
  await post('/api/auth/register', { email, password, referralId: code })
  const [eves] = await tokensTo(email)
  web.clock.advance(60_000)
  await post('/api/auth/register', { email, password: 'another correct horse' })
  const own = (await tokensTo(email)).find(one => one !== eves)
  expect((await post('/api/auth/verify-email', { token: own })).statusCode).toBe(200)
  await post('/api/auth/verify-email', { token: eves })
  expect((await ask(token)).json()).toMatchObject({ joined: 0, people: [] })
})

test('an unknown code, or one that is too long, refers nobody', async () => {
  for (const [n, referralId] of ['nobody-s', '', '%'].entries()) {
    const email = `free-${n}@example.org`
    expect((await post('/api/auth/register', { email, password, referralId })).statusCode).toBe(202)
    const [token] = await tokensTo(email)
    expect((await post('/api/auth/verify-email', { token })).statusCode).toBe(200)
  }
  const tooLong = { email: 'long@example.org', password, referralId: 'x'.repeat(101) }
  expect((await post('/api/auth/register', tooLong)).statusCode).toBe(400)
})
