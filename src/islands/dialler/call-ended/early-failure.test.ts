import { atom } from 'nanostores'
import { expect, test, vi } from 'vitest'
import { type Call, noCall, step } from '#voice/call.ts'

const country = { name: 'United States', isoCode: 'US', emoji: '🇺🇸', dialCode: '+1' }
const callee = { e164: '+12125550100', formatted: '+1 212 555 0100', extension: '', country }

test('reports an attempt that failed before its text was loaded', async () => {
  const dialled = step(noCall, { kind: 'dialled', attempt: 1, callee })
  const failed = step(dialled, {
    kind: 'ended',
    attempt: 1,
    endReason: { kind: 'authentication_failed' },
    atMs: 0,
  })
  vi.doMock('#islands/dialler/call/call.ts', () => ({ $call: atom<Call>(failed) }))
  const { followCalls } = await import('./after-call.ts')
  const { $notice } = await import('../notice.ts')
  expect($notice.get()).toBeNull()
  followCalls()
  expect($notice.get()).toMatchObject({ tone: 'bad' })
})
