import { beforeEach, expect, test } from 'vitest'
import type { OpsOverview, OpsSpan } from '#lib/api/ops.ts'
import type { CarrierCause } from '#lib/calls/call-end.ts'
import { keepForFile } from '#support/file-world.ts'
import { securedSession } from '#support/secured.ts'
import { openOperatorPage } from './operator-page.ts'
import { createWatched } from './watched.ts'

const watched = keepForFile(await createWatched())
const { world, control, app } = watched
const page = await openOperatorPage(watched)
const american = '+12125550142'
const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const safari = (version: number) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${webKit} Version/${version}.0 Mobile/15E148 Safari/604.1`
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

/** What earlier tests did is older than a week. */
beforeEach(() => world.clock.advance(8 * 24 * 3600_000))

/** A user with a session, and the requests of the browser that has it. */
async function openBrowser() {
  const user = await world.addUser({ credit: 50 })
  const { sessionId, authorization } = await securedSession(watched.services, user.id)
  const ask = async (url: string, userAgent: string, payload?: object) =>
    app.inject({
      url,
      headers: { authorization: await authorization(), 'user-agent': userAgent },
      ...(payload !== undefined && { method: 'POST', payload }),
    })
  return { user, sessionId, ask }
}
type Browser = Awaited<ReturnType<typeof openBrowser>>

async function place({ user, sessionId, ask }: Browser, userAgent: string): Promise<string> {
  expect((await ask('/api/token', userAgent)).statusCode).toBe(200)
  const placed = await control.place({ userId: user.id, sessionId, to: american, callerId: undefined })
  if (placed.kind === 'refuse') throw new Error(placed.code)
  return placed.callId
}

/** A call of a minute, of which the page heard something or nothing. @param heard null: it measured nothing */
async function talk(
  browser: Browser,
  userAgent: string,
  options: { setUpMs: number; heard: boolean | null; end?: CarrierCause },
): Promise<void> {
  const callId = await place(browser, userAgent)
  world.clock.advance(options.setUpMs)
  await control.report({ kind: 'answered', callId })
  world.clock.advance(60_000)
  const end = options.end ?? 'caller_hung_up'
  await control.report({ kind: 'ended', callId, answeredMs: 60_000, end })
  if (options.heard === null) return
  const unmeasured = { mos: null, lossPercent: null, jitterMs: null, roundTripMs: null }
  const quality = { seconds: 60, heardSeconds: options.heard ? 40 : 0, ...unmeasured }
  expect((await browser.ask(`/api/calls/${callId}/quality`, userAgent, quality)).statusCode).toBe(204)
}

async function browsersOf(span: OpsSpan): Promise<OpsOverview['browsers']> {
  return ((await page.look(await page.signIn(), span)).json() as OpsOverview).browsers
}

test('counts calls by the browser that they were placed from', async () => {
  const [iPhone, laptop] = [await openBrowser(), await openBrowser()]
  await talk(iPhone, safari(18), { setUpMs: 2000, heard: true })
  await talk(iPhone, safari(18), { setUpMs: 4000, heard: false })
  await talk(iPhone, safari(26), { setUpMs: 14_000, heard: true, end: 'connection_lost' })
  const busy = await place(iPhone, safari(26))
  await control.report({ kind: 'ended', callId: busy, answeredMs: null, end: 'busy' })
  const lost = await place(iPhone, safari(26))
  await control.report({ kind: 'ended', callId: lost, answeredMs: null, end: 'connection_lost' })
  await talk(laptop, firefox, { setUpMs: 1000, heard: null })
  expect(await browsersOf('day')).toEqual([
    {
      engine: 'webkit',
      system: 'ios',
      oldestVersion: 18,
      newestVersion: 26,
      calls: 5,
      answered: 3,
      measured: 3,
      silent: 1,
      dropped: 1,
      setUpSeconds: { median: 4, ninetieth: 12 },
    },
    {
      engine: 'firefox',
      system: 'linux',
      oldestVersion: 143,
      newestVersion: 143,
      calls: 1,
      answered: 1,
      measured: 0,
      silent: 0,
      dropped: 0,
      setUpSeconds: { median: 1, ninetieth: 1 },
    },
  ])
})

test('a call keeps the browser it was placed from, whatever the session is opened in later', async () => {
  const browser = await openBrowser()
  const callId = await place(browser, safari(18))
  await browser.ask('/api/token', firefox)
  const of = (table: string, id: string) =>
    world.db.query(`select engine, engine_version, system from ${table} where id = $1`, [id])
  expect(await of('call', callId)).toEqual([{ engine: 'webkit', engine_version: 18, system: 'ios' }])
  expect(await of('session', browser.sessionId)).toEqual([
    { engine: 'firefox', engine_version: 143, system: 'linux' },
  ])
})

test('leaves out live calls, calls before the span, and calls from an unknown browser', async () => {
  const browser = await openBrowser()
  await talk(browser, firefox, { setUpMs: 1000, heard: null })
  world.clock.advance(25 * 3600_000)
  await place(browser, firefox)
  const unknown = await world.addUser({ credit: 5 })
  const placed = await control.place({ userId: unknown.id, to: american, callerId: undefined })
  if (placed.kind === 'refuse') throw new Error(placed.code)
  await control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'busy' })
  expect(await browsersOf('day')).toEqual([])
  expect(await browsersOf('week')).toMatchObject([{ engine: 'firefox', calls: 1 }])
})
