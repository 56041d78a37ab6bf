import { createStoppedClock } from '#support/movable-clock.ts'
import { behavesAsTelephony } from './contract.ts'
import { startExchange } from './exchange/exchange-world.ts'
import { openHandset, pickUp } from './exchange/handset-phone.ts'
import { Phone, until, Wire } from './exchange/phone.ts'

/** Long enough for the exchange to look at its clock several times. */
const aFewTicks = () => new Promise(resolve => setTimeout(resolve, 100))

behavesAsTelephony(async () => {
  const clock = createStoppedClock()
  const world = await startExchange({ clock })
  const phones: Phone[] = []
  const handsets = new Map<string, Wire>()
  let wire: Wire | undefined
  let sid = ''
  const newPhone = () => {
    const phone = new Phone()
    phones.push(phone)
    return phone
  }
  return {
    telephony: world.exchange,
    control: world.control,
    numbers: {
      answers: '+12125550100',
      busy: '+12125550101',
      rings: '+12125550102',
      missing: '+12125550103',
    },
    call: async (userId, to, callerId) => {
      const { token } = await world.exchange.issueVoiceToken(userId)
      const caller = await (await new Wire(world.host).open()).listen(token)
      wire = caller
      const phone = newPhone()
      const params = new URLSearchParams({
        To: to,
        ...(callerId === undefined ? {} : { CallerId: callerId }),
      })
      caller.send('invite', {
        callsid: 'TJS1',
        sdp: await phone.offer(),
        twilio: { params: params.toString() },
      })
      const heard = await until(
        () => caller.frames.find(({ type }) => ['ringing', 'answer', 'hangup'].includes(type)),
        'an answer',
      )
      sid = heard.payload.callsid
      const answer = await until(
        () => caller.frames.find(({ type, payload }) => payload?.sdp !== undefined || type === 'hangup'),
        'the sound',
      )
      if (answer.type !== 'hangup') await phone.accept(answer.payload.sdp)
    },
    wasRefused: async () => (await wire?.frame('hangup'))?.error !== undefined,
    callerHangsUp: async () => wire?.send('hangup', { callsid: sid }),
    passTime: async ms => {
      clock.advance(ms)
      await aFewTicks()
    },
    setUpTelephone: async number => {
      const { wire: handset } = await openHandset(world, number)
      handsets.set(number, handset)
    },
    keyIn: async (number, code) => {
      const handset = handsets.get(number)
      if (handset === undefined) throw new Error('there is no telephone')
      const phone = newPhone()
      await pickUp(handset, phone)
      await until(() => phone.packets.length > 25, 'half a second of the voice')
      const { callsid } = await handset.frame('invite')
      handset.send('dtmf', { callsid, dtmf: code })
    },
    close: async () => {
      await world.close()
      await Promise.all(phones.map(phone => phone.close()))
    },
  }
})
