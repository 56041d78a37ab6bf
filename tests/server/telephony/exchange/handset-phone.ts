import type { Exchange } from '#server/telephony/exchange/exchange.ts'
import { type Frame, Phone, until, Wire } from './phone.ts'

export interface ClaimedHandset {
  readonly wire: Wire
  readonly token: string
}

/** Claims a number and registers for it, as a telephone in a browser tab does. */
export async function openHandset(
  { exchange, host }: { readonly exchange: Exchange; readonly host: string },
  number: string,
  whenCalled: 'ring' | 'busy' = 'ring',
): Promise<ClaimedHandset> {
  const claimed = await exchange.claimNumber({ number, whenCalled, token: undefined })
  if (!claimed.ok) throw new Error(claimed.code)
  const { token } = claimed.value
  return { wire: await register(host, token), token }
}

/** A new socket, registered with this token. */
export async function register(host: string, token: string): Promise<Wire> {
  const wire = await (await new Wire(host).open()).listen(token)
  wire.send('register', { media: { audio: true } })
  await wire.frame('ready')
  return wire
}

/** What rings here, the `skip`th call after the first. */
export async function ringing(wire: Wire, skip = 0): Promise<Frame['payload']> {
  return await wire.frame('invite', skip)
}

/** Picks up what rings, and gives the phone that talks. */
export async function pickUp(
  wire: Wire,
  phone: Phone = new Phone(['opus', 'PCMU']),
  skip = 0,
): Promise<Phone> {
  const { callsid, sdp } = await ringing(wire, skip)
  wire.send('answer', { callsid, sdp: await phone.reply(sdp) })
  return phone
}

/** Waits for this many more packets that satisfy the condition, and returns them. */
export async function listen(
  phone: Phone,
  count: number,
  holds: (packet: Phone['packets'][number]) => boolean = () => true,
): Promise<readonly Phone['packets'][number][]> {
  const from = phone.packets.length
  const found = () => phone.packets.slice(from).filter(holds)
  await until(() => found().length >= count, `${count} packets`)
  return found()
}
