import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallRecord } from '#lib/api/calls.ts'
import type { User } from '#lib/api/me.ts'
import { $user } from '#session/user.ts'
import { loadContacts } from '#shared/contacts.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'
import { readyThen } from '../account/registration/ready.ts'
import { $dial, $extension, enterLinkedNumber } from '../dialler/number/dial.ts'
import { FoundStatus } from './CallHistory.tsx'
import { CallTable } from './CallTable.tsx'
import { changeFilter, clearFilter, loadMore, openHistory, refreshHistory } from './history.ts'
import { NoCalls } from './NoCalls.tsx'

let listed: readonly CallRecord[]
let nextCursor: string | null
let saved: readonly object[]

function call(id: string, placedAt: string): CallRecord {
  return {
    id,
    to: '+12125550100',
    isoCode: 'US',
    state: 'ended',
    placedAt,
    answeredAt: placedAt,
    endedAt: placedAt,
    seconds: 10,
    ratePerMinute: 0.02,
    minutesCharged: 1,
    cost: 0.02,
    free: false,
    outcome: 'completed',
  }
}
const older = call('a', '2025-11-19T09:30:00.000Z')
const newer = call('b', '2025-11-20T14:02:00.000Z')

const user: User = { ...exampleUser, credits: 0, has_used_free_call: false, has_made_call: false }

/** What a reader sees: without tags, single spaces. */
function textOf(part: FunctionComponent): string {
  return renderToString(createElement(part))
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** What the list's status says. */
const said = () => textOf(FoundStatus)

async function openPage(fragment = '') {
  Object.assign(window.location, { href: `http://localhost/call-history${fragment}` })
  Object.assign(window, { history: { pushState() {}, replaceState() {} } })
  await openHistory()
}

beforeEach(async () => {
  freshBrowser()
  localStorage.setItem('token', tokenFor(60))
  listed = [newer]
  nextCursor = null
  saved = []
  await serve(({ url = '' }, response, body) => {
    if (url === '/api/contacts') return answer(response, 200, saved)
    // The totals fail: the list speaks for itself.
    if (url !== '/api/calls/search') return refuse(response, 503, 'unavailable')
    if ('cursor' in JSON.parse(body)) return answer(response, 200, { calls: [older], nextCursor: null })
    answer(response, 200, { calls: listed, nextCursor })
  })
})
afterEach(() => {
  $user.set(null)
})

describe('the status of the list', () => {
  test('says what a filter found, once it is there, without the totals', async () => {
    await openPage('#who=0100')
    expect(said()).toBe('1 call found')
    changeFilter({ who: '01009' })
    expect(said()).toBe('')
    await clearFilter()
    expect(said()).toBe('1 call listed')
  })

  test('says that nothing was found', async () => {
    listed = []
    await openPage('#who=0199')
    expect(said()).toBe('Nothing found')
  })

  test('says nothing of calls that come by themselves, and how many there are after older ones', async () => {
    nextCursor = 'b'
    await openPage()
    expect(said()).toBe('1 call listed')
    await refreshHistory()
    expect(said()).toBe('')
    await loadMore()
    expect(said()).toBe('2 calls listed')
  })
})

test('the links of two calls to the same number have names of their own', () => {
  const html = renderToString(createElement(CallTable, { calls: [newer, older] }))
  const names = [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name ?? '')
  const links = names.filter(name => /^(Receipt for|Call .* again)/.test(name))
  expect(links).toHaveLength(4)
  expect(new Set(links).size).toBe(4)
})

test.each([',,123#', '44', '*7,,1', ',2125550101'])(
  'a contact is called again with what is played to it, %s',
  async extension => {
    const bank = { id: 'c1', name: 'Bank', phone_number: newer.to, dial_code: '+1', iso_code: 'US' }
    saved = [{ ...bank, favourite: false, extension }]
    await loadContacts()
    await loadPhoneRules()
    const html = renderToString(createElement(CallTable, { calls: [newer] }))
    const [, path = ''] = /href="(\/call\?[^"]*)"/.exec(html) ?? []
    enterLinkedNumber(new URL(path.replaceAll('&amp;', '&'), 'http://localhost').href)
    expect($dial.get().typed).toBe(newer.to)
    expect($extension.get()).toBe(extension)
  },
)

describe('before the first call', () => {
  test.each<[string, boolean, boolean]>([
    ['is promised', false, true],
    ['that was used is not promised', true, false],
  ])('the free one %s', (_, used, promised) => {
    expect(textOf(NoCalls)).not.toContain('free')
    $user.set({ ...user, has_used_free_call: used })
    expect(textOf(NoCalls).includes('Your first one is free.')).toBe(promised)
  })
})

test.each([
  ['a visitor', null, 'free call'],
  ['somebody new', { has_used_free_call: false }, 'free call'],
  ['somebody who came back', { has_used_free_call: true }, 'account'],
] as const)('what a confirmed address makes ready for %s', (_, who, ready) => {
  expect(readyThen(who)).toBe(ready)
})
