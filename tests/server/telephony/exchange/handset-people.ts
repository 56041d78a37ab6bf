import type { ExchangeWorld } from './exchange-world.ts'
import { type ClaimedHandset, listen, openHandset, pickUp } from './handset-phone.ts'
import { dial, Phone, type PlacedCall, Wire } from './phone.ts'

export const number = '+442071838750'

export interface Conversation {
  readonly handset: ClaimedHandset
  readonly phone: Phone
  readonly caller: PlacedCall
}

/** Browsers that call handsets, and those that answer; `close` ends their connections. */
export function createPeople(world: ExchangeWorld) {
  const phones: Phone[] = []

  function browser(speaks: ConstructorParameters<typeof Phone>[0] = ['opus', 'PCMU']): Phone {
    const phone = new Phone(speaks)
    phones.push(phone)
    return phone
  }

  async function connect(userId = 'user-1'): Promise<Wire> {
    const { token } = await world.exchange.issueVoiceToken(userId)
    return (await new Wire(world.host).open()).listen(token)
  }

  /** Calls the number; the caller's browser stays silent until it is made to speak. */
  async function ringUp(to = number, userId = 'user-1'): Promise<PlacedCall> {
    const placed = await dial(await connect(userId), to, browser())
    placed.phone.fallSilent()
    return placed
  }

  /** A conversation between two browsers, both speaking Opus: the caller 0xaa, the handset 0xbb. */
  async function converse(to = number, userId = 'user-1'): Promise<Conversation> {
    const handset = await openHandset(world, to)
    const caller = await ringUp(to, userId)
    const phone = await pickUp(handset.wire, browser())
    await caller.wire.frame('answer')
    caller.phone.speakOpus(0xaa)
    phone.speakOpus(0xbb)
    await listen(caller.phone, 5, ({ payload }) => payload[0] === 0xbb)
    await listen(phone, 5, ({ payload }) => payload[0] === 0xaa)
    return { handset, phone, caller }
  }

  const close = () => Promise.all(phones.splice(0).map(phone => phone.close()))
  return { browser, connect, ringUp, converse, close }
}

const mulaw = 0

export const isSound = ({ payload, payloadType }: Phone['packets'][number]) =>
  payloadType === mulaw && payload.some(octet => octet !== 0xff)
export const isSilence = ({ payload, payloadType }: Phone['packets'][number]) =>
  payloadType === mulaw && payload.every(octet => octet === 0xff)
