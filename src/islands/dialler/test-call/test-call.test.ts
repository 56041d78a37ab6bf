import { atom } from 'nanostores'
import { afterEach, expect, test, vi } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { freshBrowser } from '#support/fake-browser.ts'
import { type Call, noCall, step } from '#voice/call.ts'
import type { Placement } from '../call/call-line.ts'

const own = '+447700900871'

/** A page that just loaded, whose line notes what is placed. */
async function openPage() {
  vi.resetModules()
  freshBrowser()
  const $call = atom<Call>(noCall)
  const placed: string[] = []
  const callLine = {
    place: async ({ callee }: Placement) => {
      placed.push(callee.e164)
      $call.set(step($call.get(), { kind: 'dialled', attempt: placed.length, callee }))
    },
  }
  vi.doMock('#islands/dialler/call/call.ts', () => ({ $call, callLine }))
  const [dial, test, kind] = await Promise.all([
    import('../number/dial.ts'),
    import('./test-call.ts'),
    import('../call/is-test-call.ts'),
  ])
  return { ...dial, ...test, ...kind, $call, placed }
}

afterEach(() => {
  vi.doUnmock('#islands/dialler/call/call.ts')
  vi.doUnmock('#shared/numbers/number-rules.ts')
  vi.unstubAllGlobals()
})

test('a test call is placed to the own number, and known as one', async () => {
  const page = await openPage()
  expect(page.isTestCall(page.$call.get())).toBe(false)
  expect(await page.placeTestCall(own)).toBe('placed')
  expect(page.placed).toEqual([own])
  expect(page.isTestCall(page.$call.get())).toBe(true)
})

test('places no call while another one runs, says so, and leaves the running call alone', async () => {
  const page = await openPage()
  page.$call.set(step(page.$call.get(), { kind: 'dialled', attempt: 1, callee }))
  expect(await page.placeTestCall(own)).toBe('in_call')
  expect(page.placed).toEqual([])
  expect(page.isTestCall(page.$call.get())).toBe(false)
})

test('calls nothing without the numbering plans, and says so', async () => {
  vi.doMock('#shared/numbers/number-rules.ts', () => {
    throw new Error('gone')
  })
  const page = await openPage()
  expect(await page.placeTestCall(own)).toBe('not_loaded')
  expect(page.placed).toEqual([])
})
