import { globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { EmailTemplate } from '#server/mail/layout.ts'
import type { InboxMail } from '#server/mail/local-inbox.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

const web = keepForFile(await createWeb())

test('an e-mail has a page of its own, in which nothing runs and nothing is loaded', async () => {
  await web.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email: 'page@example.com', password: 'correct horse battery' },
  })
  const [mail] = await web.readMails()
  const page = await web.app.inject({ url: `/dev/inbox/${mail?.id}` })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const asServed = (html = '') => html.replace('<head>', '<head><base target="_top">')
  expect(page.body).toBe(asServed(mail?.html))
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'/)
  expect(policy).toMatch(/sandbox(?!.*allow-(scripts|same-origin))/)
  expect((await web.app.inject({ url: '/dev/inbox/0' })).statusCode).toBe(404)

  expect((await web.app.inject({ method: 'DELETE', url: '/dev/inbox.json' })).statusCode).toBe(204)
  expect((await web.app.inject({ url: '/dev/inbox.json' })).json()).toEqual([])
})

test('there is a sample of every e-mail, whole as text and as HTML', async () => {
  const mails: InboxMail[] = (await web.app.inject({ url: '/dev/letters.json' })).json()
  const known = new Set(mails.map(({ id }) => id.replace(/-.*/, '')))
  const written: string[] = []
  const exclude = ['server/mail/queue-email.ts', 'server/accounts/profile/change-email.ts']
  for (const file of globSync('server/**/*-{email,emails}.ts', { exclude })) {
    const module: Record<string, unknown> = await import(pathToFileURL(file).href)
    written.push(...Object.keys(module).filter(name => typeof module[name] === 'function'))
  }
  expect(written.length).toBeGreaterThan(10)
  expect([...known].sort()).toEqual([...new Set(written)].sort())
  for (const { id, subject, text, html } of mails) {
    expect(`${subject}${text}${html}`, id).not.toMatch(/undefined|NaN|\[object|Invalid Date/)
    const [template] = /<h1[^>]*>([^<]+)</.exec(html)?.slice(1) ?? []
    expect(text, id).toContain((template ?? '').replaceAll('&amp;', '&').replaceAll('&quot;', '"'))
    expect((await web.app.inject({ url: `/dev/letters/${id}` })).body).toContain(
      html.slice(html.indexOf('<meta')),
    )
  }
})

test('a support message reaches the page as text, whatever it contains', async () => {
  const { emailHtml } = await import('#server/mail/layout.ts')
  const evil = '<script>alert(1)</script>"\''
  const template: EmailTemplate = {
    subject: evil,
    preview: evil,
    heading: evil,
    paragraphs: [evil],
    footnote: evil,
  }
  expect(emailHtml(template)).not.toContain('<script')
})

test('the pages that show e-mails may frame them, and no other page anything', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'farline-mail-pages-'))
  mkdirSync(join(directory, 'dev'))
  for (const name of ['index', 'dev/inbox', 'dev/letters'])
    writeFileSync(join(directory, `${name}.html`), name)
  const site = await createWeb({ siteDirectory: directory })
  const policy = async (url: string) =>
    String((await site.app.inject({ url })).headers['content-security-policy'])
  for (const url of ['/dev/inbox', '/dev/letters?x']) expect(await policy(url)).toContain(";frame-src 'self'")
  expect(await policy('/')).not.toContain('frame-src')
  await site.close()
})
