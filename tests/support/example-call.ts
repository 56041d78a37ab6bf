import type { CallRecord } from '#lib/api/calls.ts'
import type { Callee } from '#lib/rules/call.ts'

/** Whom most tests of what follows a call have called. */
export const exampleCallee: Callee = {
  e164: '+12125550100',
  formatted: '+1 212 555 0100',
  extension: '',
  country: { name: 'United States', isoCode: 'US', emoji: '🇺🇸', dialCode: '+1' },
}

/** What the server says of that call: twelve seconds, one minute charged. */
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
