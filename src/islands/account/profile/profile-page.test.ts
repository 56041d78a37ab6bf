import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test } from 'vitest'
import type { Device, Profile as ProfileRecord } from '#lib/api/profile.ts'
import { setStore } from '#support/set-store.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { DeleteDialog } from './DeleteAccount.tsx'
import { $dataExport } from './data-export.ts'
import { $devices } from './devices.ts'
import { Profile } from './Profile.tsx'
import { $profile, type ProfileState } from './profile.ts'
import { cardText, seenAt, sizeText } from './wording.ts'

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
  savedCard: { brand: 'visa', last4: '4242' },
  autoTopUpEnabled: true,
}

const languages = [
  { tag: 'en', name: 'English' },
  { tag: 'es', name: 'Español' },
]

afterEach(() => {
  setStore($profile, { state: 'loading' })
  setStore($devices, { state: 'loading' })
  setStore($dataExport, { state: 'idle' })
})

/** What a reader sees: without tags, single spaces. */
function textOf(html: string): string {
  return html
    .replace(/<!--.*?-->|<wbr\/>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}
function show(state: ProfileState): string {
  setStore($profile, state)
  return renderToString(createElement(Profile, { suggested: [], languages }))
}
const shown = (part: Partial<ProfileRecord> = {}) => show({ state: 'ready', value: { ...anna, ...part } })

test('shows nothing while loading that may turn out to be wrong', () => {
  expect(textOf(show({ state: 'loading' }))).not.toMatch(/\S/)
})

test('leads to itself in the other languages of the site', () => {
  const html = shown()
  expect(textOf(html)).toContain('For these pages, our e-mails and your receipts.')
  expect(html).toContain('<a href="/profile" hrefLang="en" lang="en" aria-current="true">English</a>')
  expect(html).toContain('<a href="/es/profile" hrefLang="es" lang="es">Español</a>')
})

test('shows what failed, with a way to try again', () => {
  expect(textOf(show({ state: 'failed', message: 'We cannot reach the server.' }))).toMatch(
    /We cannot reach the server\. Try again/,
  )
})

test('shows a signed-out visitor nothing private, but the way back', () => {
  const html = show({ state: 'signed_out' })
  expect(html).toContain('href="/login?next=%2Fprofile"')
  expect(html).not.toContain('anna@example.com')
})

test('the envelope says who, how much and since when', () => {
  expect(textOf(shown())).toMatch(/From Anna Berg anna@example\.com Balance \$12\.40 Member since .*2025/)
  expect(textOf(shown({ name: null }))).toMatch(/From anna@example\.com/)
})

test('every part of the page is there', () => {
  const parts = [...shown().matchAll(/<h2[^>]*>([^<]*)</g)].map(match => match[1])
  expect(parts).toEqual([
    'Your stamps',
    'Details',
    'Language',
    'Keyboard',
    'Your numbers',
    'Payment',
    'Spending',
    'Password',
    'Security',
    'Logged-in devices',
    'Your data',
    'Delete account',
  ])
})

describe('the address', () => {
  test('is confirmed, or says what it waits for', () => {
    expect(textOf(shown())).toContain('Verified')
    const unconfirmed = textOf(shown({ emailVerified: false }))
    expect(unconfirmed).toMatch(/Confirm your e-mail with the link we sent\..*Send the link again/)
    expect(unconfirmed).not.toContain('Verified')
  })

  test('that is to come is named, and can be given up', () => {
    expect(textOf(shown({ pendingEmail: 'berg@example.com' }))).toMatch(
      /Verified berg@example\.com becomes your e-mail once .* Cancel the change/,
    )
  })
})

test('without a card the switch is not there, as there is nothing to charge', () => {
  expect(shown()).toMatch(/Visa ending 4242.*role="switch"/)
  const html = shown({ savedCard: null })
  expect(textOf(html)).toContain('No saved card.')
  expect(html).not.toContain('name="autoTopUp"')
})

test('does not ask an account without a password for one, and lets it set its first', () => {
  const html = shown({ hasPassword: false, google: 'anna@gmail.example' })
  expect(textOf(html)).toMatch(/You log in with Google as anna@gmail\.example\..*Set password/)
  expect(html).not.toContain('Current password')
  expect(shown()).toContain('Current password')
})

describe('the devices', () => {
  const device = (name: string, current: boolean): Device => ({
    id: name,
    name,
    kind: 'phone',
    signedInAt: '2025-11-01T09:00:00.000Z',
    lastSeenAt: '2025-11-02T21:40:00.000Z',
    current,
  })

  test('can each be signed out, but for the one that asks', () => {
    setStore($devices, {
      state: 'ready',
      value: [device('Chrome on macOS', true), device('Safari on iPhone', false)],
    })
    const html = shown()
    expect(textOf(html)).toMatch(/Chrome on macOS Now This device Safari on iPhone Last seen .* Log out/)
    expect(html.match(/aria-label="Log out [^"]*"/g)).toHaveLength(1)
    expect(html).toContain('Log out everywhere else')
  })

  test('distinguishes devices of one kind by when they were last seen', () => {
    const iPad = { ...device('Safari on iPad', false), id: 'a' }
    const other = { ...iPad, id: 'b', lastSeenAt: '2025-11-09T07:15:00.000Z' }
    setStore($devices, { state: 'ready', value: [iPad, other] })
    const labels = shown().match(/aria-label="Log out [^"]*"/g) ?? []
    expect(labels.every(label => label.includes('Log out Safari on iPad, last seen '))).toBe(true)
    expect(new Set(labels).size).toBe(2)
  })

  test('that are one only leave nothing to sign out', () => {
    setStore($devices, { state: 'ready', value: [device('Chrome on macOS', true)] })
    expect(shown()).not.toContain('Log out')
  })
})

test('a download says how far it is, in part of the whole where that is known', () => {
  setStore($dataExport, { state: 'fetching', bytes: 2_500_000, total: 10_000_000 })
  const html = shown()
  expect(html).toMatch(/<progress[^>]*max="10000000" value="2500000"/)
  expect(textOf(html)).toContain('2.5 MB')
  setStore($dataExport, { state: 'fetching', bytes: 2_500_000, total: null })
  expect(shown()).not.toMatch(/<progress[^>]* value=/)
})

describe('the question before the account goes', () => {
  const ask = (part: Partial<ProfileRecord> = {}) =>
    renderToString(createElement(DeleteDialog, { profile: { ...anna, ...part }, onClose: () => {} }))

  test('names the credits that are lost, and the way to have them back', () => {
    expect(textOf(ask())).toMatch(/You&#x27;ll lose \$12\.40 of credits.*in the last 7 days\?/)
    expect(ask()).toContain('href="/billing-history"')
    const poor = textOf(ask({ credits: 0 }))
    expect(poor).not.toMatch(/credits|\$/)
    expect(poor).toContain('You can&#x27;t undo this.')
  })

  test('asks for the password where there is one', () => {
    expect(ask()).toContain('Your password')
    expect(ask({ hasPassword: false })).not.toContain('Your password')
  })

  test('has no button that the Enter key in a field would press', () => {
    expect(ask()).not.toContain('type="submit"')
  })
})

test('a dialog that is locked has nothing that closes it', () => {
  const dialog = (locked: boolean) =>
    renderToString(createElement(Dialog, { title: 'Delete account?', locked, onClose: () => {} }))
  expect(dialog(true)).toMatch(/<dialog[^>]* closedby="none".*aria-label="Close" disabled/)
  expect(dialog(false)).not.toMatch(/closedby|disabled/)
})

test('names a card as far as the provider describes it', () => {
  expect(cardText({ brand: 'visa', last4: '4242' })).toBe('Visa ending 4242')
  expect(cardText({ brand: null, last4: '4242' })).toBe('Card ending 4242')
  expect(cardText({ brand: 'visa', last4: null })).toBe('Saved card')
})

test('when a device was seen names the year only where it is another one', () => {
  const now = new Date(2026, 10, 21)
  expect(seenAt(new Date(2026, 10, 19, 8, 12), now)).toMatch(/8:12/)
  expect(seenAt(new Date(2026, 10, 19, 8, 12), now)).not.toContain('2026')
  expect(seenAt(new Date(2025, 10, 19, 8, 12), now)).toContain('2025')
})

test('sizes are rounded to what anybody wants to know', () => {
  expect([sizeText(0), sizeText(1), sizeText(420_001), sizeText(3_449_000)]).toEqual([
    '0 KB',
    '1 KB',
    '421 KB',
    '3.4 MB',
  ])
})
