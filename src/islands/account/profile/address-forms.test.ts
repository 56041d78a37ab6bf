import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import type { Profile as ProfileRecord } from '#lib/api/profile.ts'
import { texts as sentMail } from '#shared/sign-up/sent-mail-texts.ts'
import { setStore } from '#support/set-store.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { SendAgain } from '../registration/SendAgain.tsx'
import { Profile } from './Profile.tsx'
import { $profile } from './profile.ts'

const anna: ProfileRecord = {
  name: 'Anna Berg',
  email: 'anna@example.com',
  emailVerified: true,
  pendingEmail: null,
  hasPassword: true,
  google: null,
  memberSince: '2025-11-16T12:00:00.000Z',
  credits: 12.4,
  heldCredits: 0,
  booklets: [],
  savedCard: null,
  autoTopUpEnabled: false,
}

/** What a reader sees: without tags, single spaces. */
function textOf(html: string): string {
  return html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

afterEach(() => setStore($profile, { state: 'loading' }))

test.each([
  [true, 1],
  [false, 0],
])(
  'where the current password is asked for there is a way out for a user who forgot it (has one: %s)',
  (hasPassword, ways) => {
    setStore($profile, { state: 'ready', value: { ...anna, hasPassword } })
    expect(
      renderToString(createElement(Profile, { suggested: [], languages: [] })).split(
        'href="/forgot-password"',
      ).length - 1,
    ).toBe(ways)
  },
)

test('a throttled form counts on the screen, and reads out how long to whoever presses all the same', () => {
  const props = {
    message: 'Too many attempts.',
    waitSeconds: 90,
    reminder: 'You can try again in 2 minutes.',
  }
  const html = renderToString(createElement(FormNote, props))
  expect(textOf(html)).toContain('2 minutes left.')
  expect(html).toMatch(/role="status"[^>]*>You can try again in 2 minutes\.</)
  expect(renderToString(createElement(FormNote, { message: null }))).not.toContain('role="status"')
})

test('a mail that was just sent can be asked for once the server sends another, and nothing promises that it does', () => {
  const sent = { email: anna.email, atMs: Date.now() }
  const html = renderToString(createElement(SendAgain, { sent, send: async () => ({ ok: true as const }) }))
  expect(textOf(html)).toMatch(/Send it again in 6[12] s/)
  expect(sentMail.askedAgain).not.toMatch(/\bsent\b/i)
})
