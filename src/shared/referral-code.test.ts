import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryStorage } from '#support/fake-browser.ts'

const script = readFileSync(join(import.meta.dirname, '../../public/referral.js'), 'utf8')
const dayMs = 24 * 3600 * 1000

/** Runs our script on a page; what it leaves for others. */
function visit(search: string, { localStorage, nowMs = 0 }: { localStorage: unknown; nowMs?: number }) {
  class PageDate extends Date {
    static override now() {
      return nowMs
    }
  }
  const page = {
    location: { search },
    localStorage,
    URLSearchParams,
    Date: PageDate,
    referralValue: undefined,
  }
  runInNewContext(script, page)
  return page.referralValue
}

describe('our script', () => {
  test('keeps the code of the last link for 60 days', () => {
    const localStorage = new MemoryStorage()
    expect(visit('', { localStorage })).toBeUndefined()
    expect(visit('?ref=anna-1', { localStorage })).toBe('anna-1')
    expect(visit('', { localStorage, nowMs: 59 * dayMs })).toBe('anna-1')
    expect(visit('?amount=5&ref=ben_2', { localStorage, nowMs: 59 * dayMs })).toBe('ben_2')
    expect(visit('', { localStorage, nowMs: 119 * dayMs - 1 })).toBe('ben_2')
    expect(visit('', { localStorage, nowMs: 119 * dayMs })).toBeUndefined()
    expect(localStorage.length).toBe(0)
  })

  test.each(['?ref=', '?ref=a%20b', '?ref=%3Cscript%3E', `?ref=${'x'.repeat(101)}`, '?preference=1'])(
    '%s is nobody',
    search => {
      const localStorage = new MemoryStorage()
      expect(visit(search, { localStorage })).toBeUndefined()
      expect(localStorage.length).toBe(0)
    },
  )

  test('without storage the link counts on its page', () => {
    const blocked = {
      getItem() {
        throw new Error('blocked')
      },
      setItem() {
        throw new Error('blocked')
      },
    }
    expect(visit('?ref=anna', { localStorage: blocked })).toBe('anna')
  })

  test('ignores what others wrote under its name', () => {
    const localStorage = new MemoryStorage()
    localStorage.setItem('referral', '{"code":{"a":1},"untilMs":9e15}')
    expect(visit('', { localStorage })).toBeUndefined()
  })
})

describe('the page', () => {
  beforeEach(() => {
    vi.resetModules()
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('looks every 500 ms until the value is there, then no more', async () => {
    const { $referralId, watchReferral } = await import('./referral-code.ts')
    watchReferral('referralValue')
    vi.advanceTimersByTime(5000)
    expect($referralId.get()).toBeNull()
    vi.stubGlobal('referralValue', 'anna')
    vi.advanceTimersByTime(499)
    expect($referralId.get()).toBeNull()
    vi.advanceTimersByTime(1)
    expect($referralId.get()).toBe('anna')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('uses another script’s value if told to, and only a text', async () => {
    const { $referralId, watchReferral } = await import('./referral-code.ts')
    const stop = watchReferral('Vendor.referral')
    for (const value of [
      undefined,
      null,
      {},
      { referral: 7 },
      { referral: '' },
      { referral: 'x'.repeat(101) },
    ]) {
      vi.stubGlobal('Vendor', value)
      vi.advanceTimersByTime(500)
      expect($referralId.get()).toBeNull()
    }
    stop()
    vi.stubGlobal('Vendor', { referral: 'late' })
    vi.advanceTimersByTime(1000)
    expect($referralId.get()).toBeNull()
    watchReferral('Vendor.referral')
    expect($referralId.get()).toBe('late')
  })
})
