import type { CallRecord } from '#lib/api/calls.ts'
import type { Callee } from '#voice/call.ts'

/** The callee in most tests of the page after a call. */
export const exampleCallee: Callee = {
  e164: '+12125550100',
  formatted: '+1 212 555 0100',
  extension: '',
  country: { name: 'United States', isoCode: 'US', emoji: '🇺🇸', dialCode: '+1' },
}

/** The server's record of that call: twelve seconds, one charged minute. */
export const exampleRecord: CallRecord = {
  id: 'c1',
  to: exampleCallee.e164,
  isoCode: exampleCallee.country.isoCode,
  state: 'ended',
  placedAt: '2025-11-20T10:00:00.000Z',
  answeredAt: '2025-11-20T10:00:02.000Z',
  endedAt: '2025-11-20T10:00:14.000Z',
  seconds: 12,
  ratePerMinute: 0.02,
  minutesCharged: 1,
  cost: 0.02,
  free: false,
  outcome: 'completed',
}
