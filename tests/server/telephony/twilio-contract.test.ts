import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { mountTwilioWebhooks } from '#server/calls/carrier/twilio-webhook-routes.ts'
import { createLog } from '#server/http/log.ts'
import { systemRandom } from '#server/process/random.ts'
import { createTwilio } from '#server/telephony/twilio/adapter.ts'
import { identityOf } from '#server/telephony/twilio/identity.ts'
import { startFakeTwilio } from '#support/fake-twilio/fake-twilio.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { behavesAsTelephony } from './contract.ts'
import { createRecordingControl } from './exchange/exchange-world.ts'

behavesAsTelephony(async () => {
  const clock = createStoppedClock()
  const log = createLog('silent')
  const publicUrl = 'https://farline.example'
  const app = Fastify({ loggerInstance: log })
  let serverUrl = ''
  const fake = await startFakeTwilio({ clock, publicUrl, deliverTo: path => serverUrl + path })
  const { switchboard, callerIds, webhooks } = fake
  const control = createRecordingControl()
  const legs = new Map<string, string>()
  const twilio = createTwilio(fake.settings, {
    clock,
    log,
    random: systemRandom,
    publicUrl,
    books: {
      legOf: async callId => legs.get(callId),
      liveCallOf: async leg => [...legs].find(([, known]) => known === leg)?.[0],
      isCallerId: async () => false,
    },
  })
  twilio.open({
    place: async attempt => {
      const placement = await control.place(attempt)
      if (placement.kind === 'connect') legs.set(placement.callId, attempt.leg ?? '')
      return placement
    },
    report: event => control.report(event),
    admitLineCheck: userId => control.admitLineCheck(userId),
    verificationEnded: end => control.verificationEnded(end),
    verificationProgressed: progress => control.verificationProgressed(progress),
  })
  mountTwilioWebhooks(app, { log }, twilio)
  app.listen({ port: 0, host: '127.0.0.1' })
  await once(app.server, 'listening')
  serverUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  const numbers = {
    answers: '+12125550190',
    busy: '+12125550191',
    rings: '+12125550192',
    missing: '+12125550193',
  }
  switchboard.callees.set(numbers.busy, { does: 'busy' })
  switchboard.callees.set(numbers.rings, { does: 'rings' })
  switchboard.callees.set(numbers.missing, { does: 'fails', sipCode: 404 })
  let sid = ''
  return {
    telephony: twilio,
    control,
    numbers,
    call: async (userId, to, callerId) => {
      const custom = callerId === undefined ? {} : { CallerId: callerId }
      sid = (await switchboard.connect(identityOf(userId), { To: to, ...custom })).sid
      await webhooks.settled()
    },
    wasRefused: async () => switchboard.leg(sid).status === 'busy',
    callerHangsUp: async () => switchboard.hangUp(sid, 'caller'),
    passTime: async ms => {
      clock.advance(ms)
      switchboard.tick()
      await webhooks.settled()
    },
    setUpTelephone: async () => undefined,
    keyIn: async (number, code) => callerIds.keyIn(number, code),
    close: async () => {
      const { faults } = fake
      await fake.close()
      await app.close()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  }
})
