import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import { createLog } from '#server/http/log.ts'
import { findUser } from '#server/identity/users.ts'
import type { Observation } from '#server/observability/port.ts'
import { systemRandom } from '#server/process/random.ts'
import type { CarrierEvent } from '#server/telephony/port.ts'
import { readCarrierPrices } from '#server/telephony/trunk/carrier-prices.ts'
import { EdgeRecords } from '#server/telephony/trunk/edge-records.ts'
import { MediaHost } from '#server/telephony/trunk/media-host.ts'
import { createTrunk, type Trunk } from '#server/telephony/trunk/trunk.ts'
import { readTrunkFile } from '#server/telephony/trunk/trunk-file.ts'
import { keepForFile } from '#support/file-world.ts'
import { createRunningClock } from '#support/movable-clock.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab, type TrunkLab } from '#support/trunk/lab.ts'
import { createWorld } from '#support/world.ts'
import { secret } from '../exchange/exchange-world.ts'
import { Phone, until, Wire } from '../exchange/phone.ts'

/** 0.02 USD a minute, and no test number. */
const answering = '+12125550142'
const leaving = '+442079460123'
const rate = 20_000
const waiting = { timeout: 8000, interval: 20 }

interface StoredCall {
  readonly id: string
  readonly state: string
  readonly outcome: string | null
  readonly answered_ms: number | null
  readonly cost: number
  readonly credited: number
}

const world = keepForFile(await createWorld())

describe.skipIf(trunkIsMissing())('what a call over a trunk costs', () => {
  const clock = createRunningClock()
  const seen: Observation[] = []
  /** Calls that were compared with the edge's record. */
  const compared: string[] = []
  const toClose: (() => Promise<void>)[] = []
  let lab: TrunkLab
  let trunk: Trunk
  let records: EdgeRecords
  let media: MediaHost
  let services: Services
  let host = ''
  beforeAll(async () => {
    lab = await startTrunkLab([
      { name: 'answers', behaviour: { kind: 'answers' }, sells: { 1: 4000 } },
      { name: 'leaves', behaviour: { kind: 'answers', hangsUpAfterMs: 5000 }, sells: { 44: 4000 } },
    ])
    const settings = readTrunkFile(lab.file)
    trunk = createTrunk(
      { ...settings, carriers: readCarrierPrices(settings) },
      {
        ...{ clock, random: systemRandom, secret, log: createLog('silent') },
        address: { bound: '127.0.0.1', advertised: '127.0.0.1', ports: undefined },
        books: { record: async () => undefined, resultsSince: async () => [] },
      },
    )
    services = {
      ...world.services,
      clock,
      telephony: trunk,
      policy: { ...defaultCallPolicy, tiers: world.services.policy.tiers },
      observe: one => seen.push(one),
    }
    const server = createServer((_, reply) => reply.writeHead(404).end())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const control = createCallControl(services)
    const report = async (event: CarrierEvent) => {
      await control.report(event)
      if (event.kind === 'recorded') compared.push(event.callId)
    }
    await trunk.open({ control: { ...control, report }, server })
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    records = new EdgeRecords(lab.edge)
    media = new MediaHost(lab.mediaHost.url)
    return async () => {
      await trunk.close()
      await records.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  })
  afterAll(() => lab.close())
  afterEach(async () => {
    for (const close of toClose.splice(0).reverse()) await close()
    seen.length = 0
  })

  /** @param change of the browser's offer */
  async function dial(userId: string, to: string, change = (sdp: string) => sdp) {
    const { token } = await trunk.issueVoiceToken(userId)
    const wire = await (await new Wire(host).open()).listen(token)
    const phone = new Phone()
    toClose.push(
      async () => wire.drop(),
      () => phone.close(),
    )
    const params = new URLSearchParams({ To: to }).toString()
    wire.send('invite', { callsid: 'TJS1', sdp: change(await phone.offer()), twilio: { params } })
    const first = await until(
      () => wire.frames.find(({ type }) => type === 'ringing' || type === 'hangup'),
      'a frame about the call',
    )
    return { wire, phone, first }
  }

  async function speak(userId: string, to: string, change?: (sdp: string) => string) {
    const { wire, phone, first } = await dial(userId, to, change)
    await phone.accept(first.payload.sdp)
    phone.speak('silence')
    await wire.frame('answer')
    const callId = String(first.payload.callsid)
    // A second of each side: by then the caller is known to have been heard.
    await expect
      .poll(async () => {
        const { fromBrowser = 0, fromCarrier = 0 } = (await media.counts(`${callId}.0`)) ?? {}
        return Math.min(fromBrowser, fromCarrier)
      }, waiting)
      .toBeGreaterThan(50)
    return { wire, phone, callId }
  }

  const callOf = async (userId: string): Promise<StoredCall | undefined> => {
    const [call] = await world.db.query<StoredCall>(
      'select id, state, outcome, answered_ms, cost, credited from call where user_id = $1 order by placed_at desc',
      [userId],
    )
    return call
  }
  async function ended(userId: string): Promise<StoredCall> {
    let call = await callOf(userId)
    for (; call?.state !== 'ended'; call = await callOf(userId)) await new Promise(go => setTimeout(go, 20))
    return call
  }
  /** What the edge has, and so the carrier. */
  async function recordedMs(callId: string): Promise<number> {
    for (;;) {
      const { answeredAtMs, endedAtMs } = (await records.find(callId)) ?? {}
      if (answeredAtMs !== undefined && endedAtMs !== undefined) return endedAtMs - answeredAtMs
      await new Promise(go => setTimeout(go, 20))
    }
  }
  /** Ten times as fast as real time: the media host is asked once a second whether the browser is still heard. */
  async function passTime(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 1) {
      clock.advance(900)
      await new Promise(go => setTimeout(go, 100))
    }
  }
  const differences = () => seen.filter(({ kind }) => kind === 'call_record_differs')

  test('a caller who is never heard pays for a minute and gets it back, as for any short call', async () => {
    const user = await world.addUser({ credit: 5 })
    const { wire } = await dial(user.id, answering)
    const call = await ended(user.id)
    expect(call).toMatchObject({ outcome: 'connection_lost', cost: rate, credited: rate })
    expect(call.answered_ms).toBeGreaterThan(2500)
    expect(call.answered_ms).toBeLessThan(3000)
    expect(Math.abs((await recordedMs(call.id)) - (call.answered_ms ?? 0))).toBeLessThan(500)
    expect((await wire.frame('hangup')).error).toMatchObject({ code: 31003 })
    const [counted] = await world.db.query<{ used: number }>(
      `select used from budget_counter where kind = 'answer_unheard' and scope = 'everyone'`,
    )
    expect(counted?.used).toBe(rate)
  })

  test('a caller who does it again and again pays each time, and can call no more', async () => {
    const user = await world.addUser({ credit: 5 })
    const { policy } = services
    // Of the account's bound, what four such calls cost.
    const { budgets } = policy
    const answer_unheard = budgets.answer_unheard.map(bound =>
      bound.per === 'account' ? { ...bound, maxMicroUsd: 3.5 * rate } : bound,
    )
    Object.assign(services, { policy: { ...policy, budgets: { ...budgets, answer_unheard } } })
    for (let i = 0; i < 4; i += 1) {
      await dial(user.id, answering)
      await ended(user.id)
    }
    expect((await findUser(world.db, user.id))?.balance).toBe(5_000_000 - rate)
    const { first } = await dial(user.id, answering)
    expect(first).toMatchObject({ type: 'hangup', payload: { error: { code: 31002 } } })
    Object.assign(services, { policy })
  })

  test('a caller who falls silent pays as long as the carrier is connected', async () => {
    const user = await world.addUser({ credit: 5 })
    const { phone, callId } = await speak(user.id, answering)
    await phone.close()
    await passTime(40)
    expect((await callOf(user.id))?.state).toBe('answered')
    await passTime(10)
    const call = await ended(user.id)
    expect(call).toMatchObject({ id: callId, outcome: 'connection_lost', cost: rate, credited: 0 })
    expect(call.answered_ms).toBeGreaterThan(45_000)
    // Here the clock was moved, and the edge's was not: as if it had let go of the call long before.
    await until(() => differences()[0], 'the alert', 8000)
    expect(differences()).toEqual([{ kind: 'call_record_differs', edgeHas: 'less' }])
  })

  test('so does one who dials again', async () => {
    const user = await world.addUser({ credit: 5 })
    const { phone, callId } = await speak(user.id, answering)
    await phone.close()
    await passTime(35)
    await dial(user.id, leaving)
    const [left] = await world.db.query<StoredCall>('select * from call where id = $1', [callId])
    expect(left).toMatchObject({ state: 'ended', outcome: 'connection_lost' })
    expect(left?.answered_ms).toBeGreaterThan(35_000)
    await ended(user.id)
    await until(() => compared.includes(callId), 'the comparison')
  })

  test('a call that the callee ends is as long as the edge has it, and nothing is alerted', async () => {
    const user = await world.addUser({ credit: 5 })
    const { callId } = await speak(user.id, leaving)
    const call = await ended(user.id)
    expect(call).toMatchObject({ outcome: 'completed', cost: 22_000, credited: 22_000 })
    expect(Math.abs((await recordedMs(callId)) - (call.answered_ms ?? 0))).toBeLessThan(500)
    await until(() => compared.includes(callId), 'the comparison')
    expect(differences()).toEqual([])
  })

  test('a browser that asks for silence asks the carrier for none, and gets nothing back for it', async () => {
    const user = await world.addUser({ credit: 5 })
    const { wire, phone, callId } = await speak(user.id, answering, sdp =>
      sdp.replace('a=sendrecv', 'a=sendonly'),
    )
    const invitation = lab.carrier('answers').invitations().at(-1) ?? ''
    expect(invitation).toContain('a=sendrecv')
    wire.send('reinvite', { callsid: callId, sdp: (await phone.offer()).replace('a=sendrecv', 'a=inactive') })
    await wire.frame('answer', 1)
    clock.advance(20_000)
    wire.send('hangup', { callsid: callId })
    expect(await ended(user.id)).toMatchObject({ outcome: 'completed', cost: rate, credited: 0 })
    for (const change of lab.carrier('answers').invitations())
      expect(change).not.toMatch(/a=(sendonly|inactive)/)
  })
})
