/**
 * The fake Twilio in its own process, for tests with several server processes:
 *
 *   node tests/support/fake-twilio/process.ts --port 4600 --public-url http://127.0.0.1:8080 [--deliver-to http://...]
 *
 * Prints `ready` when it listens. Besides Twilio's API it serves these controls, with JSON both ways:
 *
 *   POST /fake/calls {from, to, callerId?}   a browser of user `from` calls; answers {sid, outcome}
 *   GET  /fake/calls                         every leg, as the API returns it
 *   POST /fake/hang-up {sid, by}             by: caller or callee
 *   POST /fake/answer {sid}                  answers a ringing telephone
 *   POST /fake/callees {number?, does, ...}  sets a telephone's behaviour; without a number: that of all others
 *   POST /fake/callbacks {mode}              deliver, hold, drop or twice; deliver also releases held callbacks
 *   POST /fake/trouble {kinds}               makes the next API requests fail
 *   POST /fake/outage {kind?}                makes all of them fail, until called without a kind
 *   POST /fake/key-in {number, code?}        answers the call that verifies a number
 *   GET  /fake/state                         {requests, faults, delivered, settings}
 */
import { parseArgs } from 'node:util'
import { systemClock } from '#server/process/clock.ts'
import { type FakeTwilio, startFakeTwilio, type Trouble } from './fake-twilio.ts'
import type { Callee } from './switchboard.ts'
import type { DeliveryMode } from './webhooks.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'public-url': { type: 'string', default: 'http://localhost:4321' },
    'deliver-to': { type: 'string' },
  },
})
const publicUrl = values['public-url']
const fake = await startFakeTwilio({
  clock: systemClock,
  publicUrl,
  deliverTo: path => (values['deliver-to'] ?? publicUrl) + path,
  port: Number(values.port),
  appStatus: true,
  fallback: true,
  other: ({ method, path, body }) =>
    path.startsWith('/fake/') ? control(fake, `${method} ${path.slice('/fake/'.length)}`, body) : undefined,
})
setInterval(() => fake.switchboard.tick(), 50)
process.on('SIGTERM', () => void fake.close().then(() => process.exit(0)))
console.log(`ready at ${fake.settings.apiUrl}`)

interface Asked {
  readonly from?: string
  readonly to?: string
  readonly callerId?: string
  readonly sid?: string
  readonly by?: 'caller' | 'callee'
  readonly number?: string
  readonly code?: string
  readonly mode?: DeliveryMode
  readonly kinds?: readonly Trouble[]
  readonly kind?: Trouble
}

async function control(
  { switchboard, callerIds, webhooks, requests, faults, settings }: FakeTwilio,
  what: string,
  body: string,
): Promise<object> {
  const asked = (body === '' ? {} : JSON.parse(body)) as Asked
  const { from = '', to = '', callerId, sid = '', by = 'caller', number } = asked
  switch (what) {
    case 'POST calls':
      return switchboard.connect(from, { To: to, ...(callerId === undefined ? {} : { CallerId: callerId }) })
    case 'GET calls':
      return { calls: [...switchboard.legs.values()].map(leg => switchboard.show(leg)) }
    case 'POST hang-up':
      switchboard.hangUp(sid, by)
      return {}
    case 'POST answer':
      switchboard.answer(sid)
      return {}
    case 'POST callees': {
      const callee = JSON.parse(body) as Callee
      if (number === undefined) switchboard.anybody = callee
      else switchboard.callees.set(number, callee)
      return {}
    }
    case 'POST callbacks':
      webhooks.mode = asked.mode ?? 'deliver'
      if (webhooks.mode === 'deliver') await webhooks.release()
      return {}
    case 'POST trouble':
      fake.trouble(...(asked.kinds ?? []))
      return {}
    case 'POST outage':
      fake.outage = asked.kind
      return {}
    case 'POST key-in':
      callerIds.keyIn(number ?? '', asked.code)
      return {}
    case 'GET state':
      return { requests, faults, delivered: webhooks.delivered, settings }
    default:
      throw new Error(`there is no control ${what}`)
  }
}
