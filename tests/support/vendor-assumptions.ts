import type { Call as VendorCall, Device as VendorDevice } from '@twilio/voice-sdk'
import { destroyDevice, deviceOptions, loadSdk } from '#voice/device-options.ts'
import {
  acknowledgeMedia,
  connectionOf,
  hasLostSignalling,
  isFutileRequest,
  leaveHangUp,
  listDevices,
  openSignalling,
  playbackOf,
  renewSignalling,
  requestMicrophone,
  restartIce,
  whenSoundPasses,
} from '#voice/vendor-insides.ts'

/** What the client does, seen from outside of it. */
interface Watched {
  readonly device: VendorDevice
  readonly sockets: readonly WebSocket[]
  /** What the client asked for as its microphone, and was given. */
  readonly microphones: readonly { readonly wanted: MediaStreamConstraints; readonly stream: MediaStream }[]
  /** The elements that play the callee. */
  readonly players: ReadonlySet<HTMLMediaElement>
}

interface CallWatched extends Watched {
  readonly call: VendorCall
  readonly audio: NonNullable<VendorDevice['audio']>
}

const route = { kind: 'exchange', path: '/exchange' } as const
/** Answers at once and plays a tone until the call ends. */
const toneNumber = '+12125550100'

/** Watches without changing anything; once a page, as the client is loaded once. */
async function openClient(token: string): Promise<Watched> {
  const sockets: WebSocket[] = []
  const Native = globalThis.WebSocket
  globalThis.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      sockets.push(this)
    }
  }
  const players = new Set<HTMLMediaElement>()
  const play = HTMLMediaElement.prototype.play
  HTMLMediaElement.prototype.play = function () {
    if (this.srcObject) players.add(this)
    return play.call(this)
  }
  const microphones: { wanted: MediaStreamConstraints; stream: MediaStream }[] = []
  const sdk = await loadSdk(route)
  const options = deviceOptions(sdk, route, async wanted => {
    const stream = await navigator.mediaDevices.getUserMedia(wanted)
    microphones.push({ wanted, stream })
    return stream
  })
  const device = new sdk.Device(token, options)
  // Without a listener an 'error' event throws.
  device.on('error', () => undefined)
  return { device, sockets, microphones, players }
}

/** Waits for the answer and for the callee's sound. */
async function openCall(token: string): Promise<CallWatched> {
  const client = await openClient(token)
  const call = await client.device.connect({ params: { To: toneNumber, Attempt: crypto.randomUUID() } })
  await new Promise(resolve => call.once('accept', resolve))
  await new Promise<void>(resolve => whenSoundPasses(call, resolve))
  const { audio } = client.device
  if (!audio) throw new Error('the client has no audio')
  return { ...client, call, audio }
}

/** @throws if it does not become true */
async function until(what: string, isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error(`not so: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const openSockets = ({ sockets }: Watched) =>
  sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)

async function dropSignalling(client: Watched): Promise<void> {
  const [socket] = openSockets(client)
  if (!socket) throw new Error('there is no signalling')
  const closed = new Promise(resolve => socket.addEventListener('close', resolve))
  socket.close()
  await closed
}

const sentTrack = (call: VendorCall) => connectionOf(call)?.getSenders()[0]?.track

/**
 * What we assume of the client's private parts (`src/voice/vendor-insides.ts`), each shown by what the client then does.
 * Runs in the browser. Each rejects if the assumption is wrong.
 */
const checks = {
  'connects before there is a call': async token => {
    const client = await openClient(token)
    openSignalling(client.device)
    await until('a socket is open', () => openSockets(client).length === 1)
    destroyDevice(client.device)
  },
  'knows that it lost its signalling, and that it only connects': async token => {
    const client = await openClient(token)
    openSignalling(client.device)
    if (hasLostSignalling(client.device)) throw new Error('lost while it connects')
    await until('it is connected', () => client.device.identity !== null)
    if (hasLostSignalling(client.device)) throw new Error('lost while it is connected')
    await dropSignalling(client)
    await until('it is lost', () => hasLostSignalling(client.device))
    destroyDevice(client.device)
  },
  'has a connection that carries the microphone, and says when sound passes': async token => {
    const client = await openClient(token)
    const call = await client.device.connect({ params: { To: toneNumber, Attempt: crypto.randomUUID() } })
    const states: (string | undefined)[] = []
    await new Promise<void>(resolve => {
      call.once('accept', () => {
        states.push(connectionOf(call)?.connectionState)
        whenSoundPasses(call, resolve)
      })
    })
    states.push(connectionOf(call)?.connectionState)
    if (states[1] !== 'connected') throw new Error(`sound passes while ${states.join(', then ')}`)
    const opened = client.microphones.flatMap(({ stream }) => stream.getAudioTracks())
    if (!opened.some(track => track === sentTrack(call))) throw new Error('it carries another track')
    destroyDevice(client.device)
  },
  'has what plays the callee': async token => {
    const { call, device, players } = await openCall(token)
    await until('the callee is played', () => [...players].some(({ paused }) => !paused))
    const { elements, context } = playbackOf(call)
    for (const player of players)
      if (!player.paused && !elements.includes(player)) throw new Error('another element plays it')
    if (elements.length === 0) throw new Error('nothing plays it')
    if (!(context instanceof AudioContext)) throw new Error('there is no context')
    destroyDevice(device)
  },
  'takes a microphone again that it was given before': async token => {
    const { call, audio, device, microphones } = await openCall(token)
    const [id = ''] = audio.availableInputDevices.keys()
    await requestMicrophone(audio, id)
    const before = microphones.length
    await requestMicrophone(audio, id)
    if (microphones.length !== before + 1) throw new Error('it was not asked for')
    const newest = microphones.at(-1)?.stream.getAudioTracks()[0]
    if (newest?.readyState !== 'live' || sentTrack(call) !== newest) throw new Error('it is not sent')
    destroyDevice(device)
  },
  'stops what it gets when it replaces a lost microphone itself': async token => {
    const { mediaDevices } = navigator
    const list = mediaDevices.enumerateDevices.bind(mediaDevices)
    let plugged: readonly MediaDeviceInfo[] = []
    mediaDevices.enumerateDevices = async () => [...(await list()), ...plugged]
    const { call, device, microphones } = await openCall(token)
    sentTrack(call)?.stop()
    const another = { kind: 'audioinput', deviceId: 'another', groupId: '', label: 'Another' }
    plugged = [{ ...another, toJSON: () => another } as MediaDeviceInfo]
    mediaDevices.dispatchEvent(new Event('devicechange'))
    const replaced = () => microphones.slice(1).find(({ wanted }) => isFutileRequest(wanted))
    await until('it asks', () => replaced() !== undefined)
    await until('it stops', () => replaced()?.stream.getAudioTracks()[0]?.readyState === 'ended')
    destroyDevice(device)
  },
  'lists the devices when asked': async token => {
    const { mediaDevices } = navigator
    const list = mediaDevices.enumerateDevices.bind(mediaDevices)
    let plugged: readonly MediaDeviceInfo[] = []
    mediaDevices.enumerateDevices = async () => [...(await list()), ...plugged]
    const { device } = await openClient(token)
    const another = { kind: 'audiooutput', deviceId: 'another', groupId: '', label: 'Another' }
    plugged = [{ ...another, toJSON: () => another } as MediaDeviceInfo]
    await listDevices(device.audio)
    if (!device.audio?.availableOutputDevices.has('another')) throw new Error('it does not know the new one')
    destroyDevice(device)
  },
  'goes on with a call once it is told that its media are back': async token => {
    const { call } = await openCall(token)
    const connection = connectionOf(call)
    if (!connection) throw new Error('there is no connection')
    let status = ''
    call.once('reconnecting', () => {
      acknowledgeMedia(call)
      status = call.status()
    })
    // As when a network is lost: nothing is sent for three seconds, over a way that is interrupted.
    Object.defineProperty(connection, 'iceConnectionState', { value: 'disconnected' })
    await connection.getSenders()[0]?.replaceTrack(null)
    await until('the call reconnects', () => status !== '')
    if (status !== 'open') throw new Error(`the call is ${status}`)
    // The page closes it: destroyed while it looks for another way, the client throws.
  },
  'replaces its socket when asked, and then restarts ICE': async token => {
    const client = await openCall(token)
    const { call, device } = client
    const [former] = openSockets(client)
    const reconnected = new Promise(resolve => call.once('reconnected', resolve))
    if (!renewSignalling(device)) throw new Error('it had no socket')
    await reconnected
    const [socket] = openSockets(client)
    if (socket === undefined || socket === former) throw new Error('the socket is not replaced')
    const user = () => /^a=ice-ufrag:(.*)$/m.exec(connectionOf(call)?.localDescription?.sdp ?? '')?.[1]
    const before = user()
    restartIce(call)
    await until('ICE has another user name', () => user() !== before)
    destroyDevice(device)
  },
  'delivers a hang-up that it was left without a socket': async token => {
    const client = await openCall(token)
    const { call, device } = client
    const callSid = call.parameters['CallSid'] ?? ''
    if (leaveHangUp(device, callSid, () => undefined)) throw new Error('left with a socket')
    await dropSignalling(client)
    let delivered = false
    const left = leaveHangUp(device, callSid, () => {
      delivered = true
    })
    if (!left) throw new Error('not left')
    call.disconnect()
    await until('it is delivered', () => delivered)
    destroyDevice(device)
  },
} satisfies Readonly<Record<string, (token: string) => Promise<void>>>

export type Assumption = keyof typeof checks
export const assumptions = Object.keys(checks) as Assumption[]

/** @returns what is wrong; null if nothing is */
export async function checkAssumption(name: Assumption, token: string): Promise<string | null> {
  return checks[name](token).then(
    () => null,
    (error: unknown) => String(error),
  )
}
