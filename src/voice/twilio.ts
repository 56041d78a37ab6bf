import type { Call as VendorCall, Device as VendorDevice } from '@twilio/voice-sdk'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { CallEnding } from '#lib/rules/call-endings.ts'
import { endingOf, faultOf } from './error-codes.ts'
import { withPlainSockets } from './plain-socket.ts'
import type { Line, OpenVoice, VoiceClient, VoiceCredential, VoiceEvent } from './port.ts'
import { soundFiles } from './sounds.ts'

/** How long the signalling may take to come up before the call is given up. */
const connectTimeoutMs = 15_000
/** A call outlives its signalling for this long; the client's own default loses it at once. */
const signallingTimeoutMs = 30_000
/** The code with which the client announces that the sound, not the signalling, was lost. */
const mediaLostCode = 53405

type Sdk = typeof import('@twilio/voice-sdk')

let loading: Promise<Sdk> | undefined

/** Loads the voice client. The only import of it: it must see the right socket class when it is evaluated. */
function loadSdk(route: VoiceRoute): Promise<Sdk> {
  const load = () => import('@twilio/voice-sdk')
  const plain = route.kind === 'exchange' && location.protocol === 'http:'
  loading ??= (plain ? withPlainSockets(location.host, load) : load()).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** The browser's telephone on the vendor's client. Rejects when the client cannot be loaded. */
export async function loadVoice(route: VoiceRoute): Promise<OpenVoice> {
  const sdk = await loadSdk(route)
  return (credential, onEvent) => openVoice(sdk, credential, onEvent)
}

/** `chunderw` and `publishEvents` are options of the client that its types leave out. */
type Options = VendorDevice.Options & { chunderw?: string; publishEvents?: boolean }

function deviceOptions(
  sdk: Sdk,
  route: VoiceRoute,
  getUserMedia: (constraints: MediaStreamConstraints) => Promise<MediaStream>,
): Options {
  const options: Options = {
    codecPreferences: [sdk.Call.Codec.Opus, sdk.Call.Codec.PCMU],
    enableImprovedSignalingErrorPrecision: true,
    maxCallSignalingTimeoutMs: signallingTimeoutMs,
    closeProtection: true,
    logLevel: 'silent',
    sounds: soundFiles,
    getUserMedia,
  }
  return route.kind === 'exchange'
    ? { ...options, chunderw: `${location.host}${route.path}`, publishEvents: false }
    : options
}

function openVoice(sdk: Sdk, credential: VoiceCredential, onEvent: (event: VoiceEvent) => void): VoiceClient {
  let microphone: MediaStream | undefined
  let call: VendorCall | undefined
  let answered = false
  let over = false

  /** The stream the page has opened; a new one where that microphone was unplugged since. */
  function getMicrophone(constraints: MediaStreamConstraints): Promise<MediaStream> {
    const usable = microphone?.getAudioTracks().some(track => track.readyState === 'live') === true
    return microphone && usable
      ? Promise.resolve(microphone)
      : navigator.mediaDevices.getUserMedia(constraints)
  }

  const device = new sdk.Device(credential.token, deviceOptions(sdk, credential.route, getMicrophone))
  const timeout = setTimeout(() => end({ kind: 'client_disconnected' }), connectTimeoutMs)

  function release(): void {
    over = true
    clearTimeout(timeout)
    device.destroy()
    // A late error without a listener would be thrown.
    device.on('error', () => undefined)
    for (const track of microphone?.getTracks() ?? []) track.stop()
  }

  function emit(event: VoiceEvent): void {
    if (!over) onEvent(event)
  }

  function end(ending: CallEnding): void {
    if (over) return
    release()
    onEvent({ kind: 'ended', ending })
  }

  /** How a call ended that the client closed without a reason. */
  function closedSilently(): CallEnding {
    return { kind: answered ? 'connection_lost' : 'client_disconnected' }
  }

  /** Errors of the device never end a call in progress; dozens of them may come while a line is down. */
  device.on('error', (error: unknown) => {
    const fault = faultOf(error)
    if (call !== undefined || fault === null) return
    const ending = endingOf(fault, false)
    if (ending.kind !== 'client_disconnected' && ending.kind !== 'media_failed') end(ending)
  })
  device.on('tokenWillExpire', () => emit({ kind: 'token_expiring' }))

  /** Our exchange names a call as our server does; the vendor has names of its own. */
  function named({ parameters }: VendorCall): { readonly callId?: string } {
    const callId = parameters['CallSid']
    return credential.route.kind === 'exchange' && callId !== undefined ? { callId } : {}
  }

  function follow(started: VendorCall): void {
    call = started
    clearTimeout(timeout)
    // A fatal error is reported just before or just after the client closes the call; others close
    // nothing. So both handlers look once the client is done.
    let failing = false
    started.on('error', (error: unknown) => {
      const fault = faultOf(error)
      failing = true
      queueMicrotask(() => {
        failing = false
        if (started.status() !== 'closed') return
        end(fault === null ? closedSilently() : endingOf(fault, answered))
      })
    })
    started.on('disconnect', () => {
      queueMicrotask(() => {
        if (!failing) end({ kind: answered ? 'callee_hung_up' : 'no_answer' })
      })
    })
    started.on('cancel', () => end({ kind: 'no_answer' }))
    // Before the answer a lost socket closes the call without a word.
    started.on('transportClose', () => {
      queueMicrotask(() => {
        if (started.status() === 'closed') end(closedSilently())
      })
    })
    started.on('ringing', () => emit({ kind: 'ringing', ...named(started) }))
    started.on('accept', () => {
      answered = true
      emit({ kind: 'answered', ...named(started) })
    })
    started.on('reconnecting', (error: unknown) => {
      emit({ kind: 'reconnecting', lost: faultOf(error)?.code === mediaLostCode ? 'media' : 'signalling' })
    })
    started.on('reconnected', () => emit({ kind: 'reconnected' }))
  }

  async function start(line: Line): Promise<void> {
    microphone = line.microphone
    const params = { To: line.to, ...(line.callerId === undefined ? {} : { CallerId: line.callerId }) }
    try {
      const started = await device.connect({ params })
      if (over) started.disconnect()
      else follow(started)
    } catch (error) {
      end(startFailure(error))
    }
  }

  return {
    connect: line => void start(line),
    hangUp() {
      if (over) return
      call?.disconnect()
      end({ kind: answered ? 'caller_hung_up' : 'cancelled' })
    },
    mute: muted => call?.mute(muted),
    sendDigits(digits) {
      if (answered && !over) call?.sendDigits(digits)
    },
    updateToken(token) {
      if (!over) device.updateToken(token)
    },
    destroy() {
      if (!over) release()
    },
  }
}

/** What the client throws when a call cannot even be started. */
function startFailure(error: unknown): CallEnding {
  const fault = faultOf(error)
  if (fault !== null) return endingOf(fault, false)
  const text = error instanceof Error ? error.message : ''
  if (/already active/.test(text)) return { kind: 'already_active' }
  if (/destroyed/.test(text)) return { kind: 'client_destroyed' }
  return { kind: 'client_disconnected' }
}
