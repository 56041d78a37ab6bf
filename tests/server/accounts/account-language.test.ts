import { expect, test } from 'vitest'
import { currentLanguage } from '#lib/i18n/language.ts'
import { inLanguageOf } from '#server/identity/users.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'

const web = keepForFile(await createWeb())

const post = (url: string, language: string, payload: object) =>
  web.app.inject({ method: 'POST', url, payload, headers: { 'accept-language': language } })

/** The language in which something happens to the account without a page. */
async function languageOfAccount(email: string): Promise<string> {
  const [user] = await web.db.query<{ id: string }>('select id from app_user where email = $1', [email])
  return inLanguageOf(web.db, user?.id ?? '', async () => currentLanguage())
}

test('an account has the language of the page on which it was opened, then of the page read last', async () => {
  const email = 'lector@example.com'
  await post('/api/auth/register', 'es', { email, password })
  expect(await languageOfAccount(email)).toBe('es')

  const login = await post('/api/auth/login', 'ar', { email, password })
  expect(await languageOfAccount(email)).toBe('es')
  const authorization = `Bearer ${login.json().token}`
  await web.app.inject({ url: '/api/protected/me', headers: { authorization, 'accept-language': 'ar' } })
  expect(await languageOfAccount(email)).toBe('ar')
})
