import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { giveUpLateCredits } from '#server/accounts/retention/clear-deleted.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { sweepCalls, sweepMs } from '#server/calls/carrier/sweep.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { issueVoiceToken } from '#server/calls/placing/voice-token.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import { keepQuality } from '#server/calls/settlement/quality.ts'
import { defaultBudgets } from '#server/limits/budget-policy.ts'
import { operations, watchPort } from '#server/observability/watched-port.ts'
import { reconcileDaily } from '#server/reconciliation/reconcile-daily.ts'
import { reconcileEverything } from '#server/reconciliation/reconcile-report.ts'
import { keepFeedback } from '#server/support/feedback.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { addStrangers } from '#support/strangers.ts'
import { deliver, order } from '../payments/buyer.ts'
import { createWatched } from './watched.ts'

const american = '+12125550142'

const siteDirectory = mkdtempSync(join(tmpdir(), 'farline-site-'))
mkdirSync(join(siteDirectory, '.server'))
writeFileSync(join(siteDirectory, '.server', 'csp.json'), '{}')
writeFileSync(join(siteDirectory, 'index.html'), '<!doctype html><title>Farline</title>')

const watched = keepForFile(await createWatched({ siteDirectory }))
/** What the database holds is asked at most once each 5 s. */
beforeEach(() => watched.world.clock.advance(6000))

test('a call shows in its attempts, its set-up, its minutes, its end and what was said of it', async () => {
  const { world, control, services, metric } = watched
  const user = await world.addUser({ credit: 5 })
  expect((await control.place({ userId: user.id, to: '+1', callerId: undefined })).kind).toBe('refuse')
  await issueVoiceToken(services, user.id, { address: '203.0.113.7', device: 'd1' })
  const placed = await control.place({ userId: user.id, to: american, callerId: undefined })
  if (placed.kind === 'refuse') throw new Error(placed.code)
  const { callId } = placed
  expect(await metric('farline_live_calls{state="placed"}')).toBe(1)
  world.clock.advance(2000)
  await control.report({ kind: 'ringing', callId })
  world.clock.advance(4000)
  await control.report({ kind: 'answered', callId })
  world.clock.advance(61_000)
  await control.report({ kind: 'ended', callId, answeredMs: 61_000, end: 'caller_hung_up' })
  await keepFeedback(services, user.id, { score: 4, issue: 'echo', callId })
  const measured = { mos: 4.1, lossPercent: 2, jitterMs: 8, roundTripMs: null }
  await keepQuality(services, user.id, callId, { seconds: 60, heardSeconds: 0, ...measured })
  await keepQuality(services, user.id, callId, { seconds: 60, heardSeconds: 60, ...measured })
  await claimCall(services, user.id, callId, 'echo')
  const unanswered = await control.place({ userId: user.id, to: american, callerId: undefined })
  if (unanswered.kind === 'refuse') throw new Error(unanswered.code)
  await control.report({ kind: 'ended', callId: unanswered.callId, answeredMs: null, end: 'no_answer' })
  const ours = await control.place({ userId: user.id, to: american, callerId: undefined })
  if (ours.kind === 'refuse') throw new Error(ours.code)
  await control.report({ kind: 'ended', callId: ours.callId, answeredMs: null, end: 'service_failed' })
  // Told twice, it happened once.
  await control.report({ kind: 'ended', callId, answeredMs: 61_000, end: 'caller_hung_up' })

  const [call] = await world.db.query<{ cost: number; rate: number }>(
    'select cost, rate from call where id = $1',
    [callId],
  )
  expect(await metric('farline_voice_tokens_total')).toBe(1)
  expect(await metric('farline_call_attempts_total{result="connected"}')).toBe(3)
  expect(await metric('farline_call_attempts_total{result="invalid_number"}')).toBe(1)
  expect(await metric('farline_call_setup_seconds_sum{until="ringing"}')).toBe(2)
  expect(await metric('farline_call_setup_seconds_sum{until="answer"}')).toBe(6)
  expect(await metric('farline_call_setup_seconds_count{until="answer"}')).toBe(1)
  expect(await metric('farline_calls_ended_total{outcome="completed"}')).toBe(1)
  expect(await metric('farline_calls_ended_total{outcome="no_answer"}')).toBe(1)
  // Stored as failed, counted as ours.
  expect(await metric('farline_calls_ended_total{outcome="service_failed"}')).toBe(1)
  expect(await metric('farline_call_seizures_total')).toBe(3)
  expect(await metric('farline_call_answers_total')).toBe(1)
  expect(await metric('farline_call_duration_seconds_sum')).toBe(61)
  expect(await metric('farline_call_duration_seconds_count')).toBe(1)
  expect(await metric('farline_charges_micro_usd_total{kind="metered"}')).toBe(call?.rate)
  expect(await metric('farline_charges_micro_usd_total{kind="settled"}')).toBe(call?.cost)
  expect(await metric('farline_call_mos_sum')).toBe(4.1)
  expect(await metric('farline_call_packet_loss_ratio_sum')).toBe(0.02)
  expect(await metric('farline_call_jitter_seconds_sum')).toBe(0.008)
  expect(await metric('farline_call_round_trip_seconds_count')).toBe(0)
  expect(await metric('farline_call_heard_ratio_bucket{le="0"}')).toBe(1)
  expect(await metric('farline_call_credits_total{reason="claim"}')).toBe(1)
  expect(await metric('farline_charges_micro_usd_total{kind="credited"}')).toBe(call?.cost)
  expect(await metric('farline_feedback_score_sum')).toBe(4)
  expect(await metric('farline_feedback_issues_total{issue="echo"}')).toBe(1)
})

test('the lag of the meter is how late a minute was charged, and how long one has waited', async () => {
  const { world, control, metric } = watched
  const user = await world.addUser({ credit: 5 })
  const before = await metric('farline_meter_lag_seconds_sum')
  const call = await connectCall(control, user.id, american)
  world.clock.advance(63_001)
  expect(await metric('farline_meter_oldest_due_seconds')).toBe(3)
  expect(await metric('farline_meter_lag_seconds_sum')).toBe(before)
  await chargeDueMinutes(watched.services)
  expect(await metric('farline_meter_lag_seconds_sum')).toBe(before + 3)
  world.clock.advance(6000)
  expect(await metric('farline_meter_oldest_due_seconds')).toBe(0)
  await call.end(63_001)
})

test('counts payments and refunds once, however often they are reported', async () => {
  const { world, services, metric } = watched
  const user = await world.addUser()
  const bought = await order(world, user.id, 10)
  const observed = { ...world, services }
  await deliver(observed, bought.paid())
  await deliver(observed, bought.paid())
  expect(await metric('farline_charges_micro_usd_total{kind="top_up"}')).toBe(10_000_000)
  await deliver(observed, bought.refund(4, 'pending'))
  expect(await metric('farline_charges_micro_usd_total{kind="refunded"}')).toBe(0)
  await deliver(observed, bought.refund(4))
  await deliver(observed, bought.refund(4))
  expect(await metric('farline_charges_micro_usd_total{kind="refunded"}')).toBe(4_000_000)
})

test('requests are counted by the pattern of their route, never by their address', async () => {
  const { app, read, metric } = watched
  await app.inject({ url: '/api/calls/%2B442079460123' })
  await app.inject({ url: '/no-such-page/%2B442079460123?token=secret' })
  const text = await read()
  expect(await metric('farline_http_requests_total{method="GET",route="/api/calls/:id",status="4xx"}')).toBe(
    1,
  )
  expect(await metric('farline_http_requests_total{method="any",route="none",status="4xx"}')).toBe(1)
  expect(text).not.toContain('442079460123')
  expect(text).not.toContain('secret')
})

test('a page counts each time that it is sent, from the disk and from memory', async () => {
  const { app, metric } = watched
  const counted = 'farline_http_requests_total{method="GET",route="/*",status="2xx"}'
  const before = await metric(counted)
  for (let count = 1; count <= 3; count += 1) {
    expect((await app.inject({ url: '/' })).statusCode).toBe(200)
    expect(await metric(counted)).toBe(before + count)
  }
})

test('counts an event that was not accepted by provider and reason; made-up names count as one', async () => {
  const { app, metric } = watched
  const post = (url: string) =>
    app.inject({ method: 'POST', url, payload: '{}', headers: { 'simulated-signature': 'forged' } })
  await post('/api/webhooks/local')
  await post('/api/webhooks/made-up-1')
  await post('/api/webhooks/made-up-2')
  expect(await metric('farline_webhook_failures_total{provider="local",reason="forged"}')).toBe(1)
  expect(await metric('farline_webhook_failures_total{provider="unknown",reason="not_found"}')).toBe(2)
})

test('who asks chooses no provider and no reason, whatever the request comes to', async () => {
  const { app, read } = watched
  const send = (provider: string, headers: Record<string, string>, payload: string) =>
    app.inject({ method: 'POST', url: `/api/webhooks/${provider}`, payload, headers })
  const large = await send('made-up-3', {}, 'x'.repeat(65_000 + 1000))
  expect(large.statusCode).toBe(413)
  const wrongLength = await send('made-up-4', { 'content-length': '7' }, '{}')
  expect(wrongLength.statusCode).toBe(400)
  await send('%6Dade-up-5', {}, '{}')
  await send('made-up-6/voice', {}, '{}')
  await send('local?provider=made-up-7', { 'content-length': '7' }, '{}')
  const counted = (await read())
    .split('\n')
    .filter(line => line.startsWith('farline_webhook_failures_total{'))
  const labels = counted.flatMap(line => [...line.matchAll(/="([^"]*)"/g)].map(([, value]) => value))
  const reasons = ['forged', 'not_found', 'too_large', 'invalid_request']
  expect(new Set(labels)).toEqual(new Set(['local', 'unknown', ...reasons]))
})

test('counts a rejected webhook request of the carrier once', async () => {
  const { app, metric } = watched
  const answer = await app.inject({ method: 'POST', url: '/api/webhooks/twilio/voice', payload: 'a=b' })
  expect(answer.statusCode).toBe(403)
  expect(await metric('farline_webhook_failures_total{provider="twilio",reason="forged"}')).toBe(1)
})

test('counts a provider that is away by operation; one that rejects a card has answered', async () => {
  const { world, services, metric } = watched
  world.provider.away = 'before'
  await services.payments.lookUp('cs_1')
  world.provider.away = 'no'
  await services.payments.lookUp('cs_1')
  world.provider.keptCard = 'declined'
  await services.payments.chargeKeptCard({
    paymentId: world.services.random.uuid(),
    userId: 'somebody',
    amountMicroUsd: 1,
    description: '',
    customerRef: 'c',
    methodRef: 'm',
  })
  world.provider.keptCard = null
  expect(await metric('farline_provider_errors_total{provider="stripe",operation="lookUp"}')).toBe(1)
  expect(await metric('farline_provider_errors_total{provider="stripe",operation="chargeKeptCard"}')).toBe(0)
  const asked = 'farline_provider_request_duration_seconds_count{provider="stripe",operation="lookUp"}'
  expect(await metric(asked)).toBe(2)
})

test('counts a sweep of the running calls that the carrier does not answer', async () => {
  const { world, services, observability, metric } = watched
  const user = await world.addUser({ credit: 5 })
  const listLive = async () => {
    throw new Error('the carrier is away')
  }
  const network = { ...world.network, carriage: 'shared' as const, listLive }
  const watching = { clock: world.clock, observe: observability.observe, tracing: undefined }
  const telephony = watchPort(network, 'twilio', operations.telephony, watching)
  const control = createCallControl({ ...services, telephony })
  const placed = await control.place({ userId: user.id, to: american, callerId: undefined, leg: 'CA1' })
  if (placed.kind === 'refuse') throw new Error(placed.code)
  world.clock.advance(sweepMs)
  expect(await sweepCalls({ ...services, telephony })).toBe(0)
  expect(await metric('farline_provider_errors_total{provider="twilio",operation="listLive"}')).toBe(1)
  await control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'no_answer' })
})

test('reads the queue, e-mails that were given up, an open breaker and the last comparison from the database', async () => {
  const { world, metric } = watched
  const now = world.clock.now().getTime()
  const at = (ms: number) => new Date(now + ms)
  await reconcileDaily(world.services, giveUpLateCredits)
  await world.db.query('delete from job')
  await world.db.query(
    `insert into job (kind, key, data, run_at, done_at, last_error) values
       ('mail', 'a', '{}', $1, null, null), ('mail', 'b', '{}', $2, null, null),
       ('mail', 'c', '{}', 'infinity', $1, 'Error'), ('mail', 'd', '{}', 'infinity', $1, null)`,
    [at(-30_000), at(60_000)],
  )
  await world.db.query('insert into prefix_pause (prefix, opened_at, ends_at) values ($1, $2, $3)', [
    '881',
    at(0),
    at(60_000),
  ])
  const { differences } = await reconcileEverything(world.services)
  expect(differences.length).toBeGreaterThan(0)
  expect(await metric('farline_jobs{state="due"}')).toBe(1)
  expect(await metric('farline_jobs{state="later"}')).toBe(1)
  expect(await metric('farline_jobs_oldest_due_seconds')).toBe(30)
  expect(await metric('farline_mails_given_up')).toBe(1)
  expect(await metric('farline_breaker_open_prefixes')).toBe(1)
  expect(await metric('farline_reconciliation_timestamp_seconds')).toBe(now / 1000)
  expect(await metric('farline_reconciliation_differences')).toBe(differences.length)
})

test('reports by kind how much of a day’s budget is used, and how many it turned away', async () => {
  const { world, services, metric } = watched
  const by = { ...services, policy: { ...services.policy, budgets: defaultBudgets } }
  const control = createCallControl(by)
  expect(await metric('farline_budget_refusals_total{kind="free_call",per="mailbox"}')).toBe(0)
  const people = await addStrangers(world, 2, nth => ({
    email: `anna+${nth}@example.com`,
    address: `2001:db8:${nth}::1`,
  }))
  const [first, second] = people.map(({ id }) => ({ userId: id, to: american, callerId: undefined }))
  if (first === undefined || second === undefined) throw new Error('nobody')
  const placed = await control.place(first)
  if (placed.kind === 'refuse') throw new Error(placed.code)
  expect(await control.place(second)).toMatchObject({ code: 'free_call_limit' })
  expect(await metric('farline_budget_refusals_total{kind="free_call",per="mailbox"}')).toBe(1)
  world.clock.advance(6000)
  // Five minutes at 0.02 of 50 USD.
  expect(await metric('farline_budget_used_ratio{kind="free_call"}')).toBe(0.1 / 50)
  expect(await metric('farline_budget_used_ratio{kind="unanswered_ring"}')).toBe(1 / 3000)
  expect(await watched.read()).toContain('farline_budget_used_ratio{kind="reset_mail"} 0\n')
  await control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'no_answer' })
  world.clock.advance(6000)
  expect(await metric('farline_budget_used_ratio{kind="free_call"}')).toBe(0)
  world.clock.advance(24 * 3600_000)
  expect(await metric('farline_budget_used_ratio{kind="unanswered_ring"}')).toBe(0)
})
