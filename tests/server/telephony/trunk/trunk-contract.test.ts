import { afterAll, beforeAll, describe } from 'vitest'
import { createStoppedClock } from '#support/movable-clock.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab, type TrunkLab } from '#support/trunk/lab.ts'
import { openTelephone, type Telephone } from '#support/trunk/telephone.ts'
import { behavesAsTelephony } from '../contract.ts'
import { Phone, until, Wire } from '../exchange/phone.ts'
import { startTrunkWorld } from './trunk-world.ts'

/** Each number is sold by one carrier alone, which does with every call what the number says. */
const numbers = {
  answers: '+12125550100',
  busy: '+12125550101',
  rings: '+12125550102',
  missing: '+12125550103',
} as const
/** The telephone that keys in a code. */
const telephone = '+442071838750'
const rate = 10_000
const silence = Buffer.alloc(160, 0xff)

describe.skipIf(trunkIsMissing())('SIP trunks', () => {
  let lab: TrunkLab
  let phone: Telephone
  beforeAll(async () => {
    phone = await openTelephone()
    const sells = (number: string) => ({ [number.slice(1)]: rate })
    lab = await startTrunkLab([
      { name: 'answers', behaviour: { kind: 'answers' }, sells: sells(numbers.answers) },
      { name: 'busy', behaviour: { kind: 'rejects', status: '486 Busy Here' }, sells: sells(numbers.busy) },
      { name: 'rings', behaviour: { kind: 'rings' }, sells: sells(numbers.rings) },
      {
        name: 'missing',
        behaviour: { kind: 'rejects', status: '404 Not Found' },
        sells: sells(numbers.missing),
      },
      { name: 'keys', behaviour: { kind: 'answers', mediaPort: phone.port }, sells: sells(telephone) },
    ])
  })
  afterAll(async () => {
    await lab.close()
    await phone.close()
  })

  behavesAsTelephony(async () => {
    const clock = createStoppedClock()
    const world = await startTrunkWorld(lab.file, clock)
    const browsers: Phone[] = []
    let wire: Wire | undefined
    let sid = ''
    return {
      telephony: world.trunk,
      control: world.control,
      numbers,
      call: async (userId, to, callerId) => {
        const { token } = await world.trunk.issueVoiceToken(userId)
        const caller = await (await new Wire(world.host).open()).listen(token)
        wire = caller
        const browser = new Phone()
        browsers.push(browser)
        const params = new URLSearchParams({ To: to, ...(callerId && { CallerId: callerId }) })
        caller.send('invite', {
          callsid: 'TJS1',
          sdp: await browser.offer(),
          twilio: { params: params.toString() },
        })
        const first = await until(
          () => caller.frames.find(({ type }) => ['ringing', 'answer', 'hangup'].includes(type)),
          'an answer',
        )
        sid = first.payload.callsid
        if (first.type === 'hangup') return
        await browser.accept(first.payload.sdp)
        browser.speak('silence')
      },
      wasRefused: async () => (await wire?.frame('hangup'))?.error !== undefined,
      callerHangsUp: async () => wire?.send('hangup', { callsid: sid }),
      passTime: async ms => {
        clock.advance(ms)
        await new Promise(resolve => setTimeout(resolve, 100))
      },
      setUpTelephone: async () => undefined,
      keyIn: async (_number, code) => {
        const invitation = await until(() => lab.carrier('keys').invitations()[0], 'the call')
        phone.speak(invitation, silence)
        await until(() => phone.heard.length > 50 || undefined, 'a second of the voice', 10_000)
        await phone.press(code)
      },
      close: async () => {
        await world.close()
        await Promise.all(browsers.map(browser => browser.close()))
      },
    }
  })
})
