import type { Call as VendorCall } from '@twilio/voice-sdk'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { CallEnding } from '#lib/rules/call-endings.ts'
import { deviceOptions, loadSdk, mediaLostCode, type Sdk } from './device-options.ts'
import { endingOf, faultOf } from './error-codes.ts'
import { createLineSampler } from './line-sampler.ts'
import { createMediaWatch } from './media-watch.ts'
import { closeMicrophone, openMicrophone } from './microphone.ts'
import type { Line, OpenVoice, VoiceClient, VoiceCredential, VoiceEvent } from './port.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { acknowledgeMedia, leaveHangUp, whenSoundPasses } from './vendor-insides.ts'

/** How long the signalling may take to come up before the call is given up. */
const connectTimeoutMs = 15_000
/** The client changes over to another microphone by itself when the browser tells it; else we do after this. */
const microphonePatienceMs = 1000
/** A hang-up that finds no socket waits for one so long: by then the server has missed the caller by itself. */
const goodbyeTimeoutMs = 60_000

/** The browser's telephone on the vendor's client. Rejects when the client cannot be loaded. */
export async function loadVoice(route: VoiceRoute): Promise<OpenVoice> {
  const sdk = await loadSdk(route)
  return (credential, onEvent) => openVoice(sdk, credential, onEvent)
}

function openVoice(sdk: Sdk, credential: VoiceCredential, onEvent: (event: VoiceEvent) => void): VoiceClient {
  let microphone: MediaStream | undefined
  let unplugged = false
  /** The one that the user has chosen, by the browser's id. */
  let microphoneId: string | undefined
  let call: VendorCall | undefined
  let answered = false
  let over = false
  const attempt = crypto.randomUUID()

  /**
   * The stream the page has opened; a new one where that microphone was unplugged since, or where the client
   * has closed it to take the sound up anew. News is only another microphone.
   */
  async function getMicrophone(constraints: MediaStreamConstraints): Promise<MediaStream> {
    if (microphone && isUsable(microphone)) return microphone
    const next = await openChosen(constraints)
    const changed = unplugged || labelOf(next) !== (microphone && labelOf(microphone))
    if (over) closeMicrophone(next)
    else holdMicrophone(next)
    if (changed) emit({ kind: 'microphone', state: 'changed' })
    return next
  }

  /** At every change of the devices the client asks for the system's choice anew, also where another one was chosen. */
  async function openChosen(constraints: MediaStreamConstraints): Promise<MediaStream> {
    const { mediaDevices } = navigator
    if (microphoneId === undefined) return mediaDevices.getUserMedia(constraints)
    const chosen = { audio: { deviceId: { exact: microphoneId } } }
    return mediaDevices.getUserMedia(chosen).catch(() => mediaDevices.getUserMedia(constraints))
  }

  function holdMicrophone(stream: MediaStream): void {
    microphone = stream
    unplugged = false
    for (const track of stream.getAudioTracks())
      track.addEventListener('ended', () => {
        if (over || stream !== microphone) return
        unplugged = true
        emit({ kind: 'microphone', state: 'lost' })
        setTimeout(() => void replaceMicrophone(), microphonePatienceMs)
      })
  }

  /** Where there is no other one the call goes on without, and the client looks again at the next change. */
  async function replaceMicrophone(): Promise<void> {
    if (over || (microphone && isUsable(microphone))) return
    const available = [...(device.audio?.availableInputDevices.keys() ?? [])]
    const next = available.find(id => id === microphoneId) ?? available[0]
    if (next === undefined) return
    try {
      await device.audio?.setInputDevice(next)
    } catch (error) {
      console.error('Another microphone could not be opened.', error)
    }
  }

  /** Opened before the client lets go of the former one, which goes on where this one cannot be opened. */
  async function changeMicrophone(deviceId: string | undefined): Promise<boolean> {
    if (over) return false
    const next = await openMicrophone(deviceId)
    if (!next.ok) return false
    if (over) {
      closeMicrophone(next.value)
      return false
    }
    const [track] = next.value.getAudioTracks()
    const id = inputIdOf(track?.getSettings().deviceId)
    const former = microphone
    const wasLost = unplugged
    microphoneId = deviceId
    if (device.audio?.inputDevice?.deviceId === id && former && isUsable(former)) {
      // The client would keep the stream that it has.
      closeMicrophone(next.value)
      return true
    }
    holdMicrophone(next.value)
    try {
      // It is asked for the stream that is held now, whatever it is told to open.
      await device.audio?.setInputDevice(id)
    } catch (error) {
      console.error('The microphone could not be changed.', error)
      closeMicrophone(next.value)
      if (former) holdMicrophone(former)
      if (!former || !isUsable(former)) void replaceMicrophone()
      return false
    }
    if (former && former !== next.value) closeMicrophone(former)
    if (wasLost) emit({ kind: 'microphone', state: 'changed' })
    return true
  }

  /** By what name the client knows a microphone: not every browser names the system's choice as one of its own. */
  function inputIdOf(deviceId: string | undefined): string {
    const available = [...(device.audio?.availableInputDevices.keys() ?? [])]
    return available.find(id => id === deviceId) ?? available[0] ?? ''
  }

  /** Where the browser has no such speaker, or chooses it by itself, the system's own goes on. */
  async function changeSpeaker(deviceId: string | undefined): Promise<boolean> {
    const { audio } = device
    if (over || !audio?.isOutputSelectionSupported) return false
    const ids = [...audio.availableOutputDevices.keys()]
    const id = ids.find(one => one === (deviceId ?? 'default'))
    if (id === undefined) return false
    try {
      await audio.speakerDevices.set(id)
      return true
    } catch (error) {
      console.error('The speaker could not be changed.', error)
      return false
    }
  }

  const device = new sdk.Device(credential.token, deviceOptions(sdk, credential.route, getMicrophone))
  const timeout = setTimeout(() => end({ kind: 'client_disconnected' }), connectTimeoutMs)

  function destroyDevice(): void {
    device.destroy()
    // A late error without a listener would be thrown.
    device.on('error', () => undefined)
  }

  /** @param lingering the device has a hang-up to deliver, and goes by itself */
  function release(lingering = false): void {
    over = true
    clearTimeout(timeout)
    if (!lingering) destroyDevice()
    if (microphone) closeMicrophone(microphone)
  }

  function emit(event: VoiceEvent): void {
    if (!over) onEvent(event)
  }

  function end(ending: CallEnding, lingering = false): void {
    if (over) return
    release(lingering)
    onEvent({ kind: 'ended', ending })
  }

  /** How a call ended that the client closed without a reason. */
  function closedSilently(): CallEnding {
    return { kind: answered ? 'connection_lost' : 'client_disconnected' }
  }

  /** Errors of the device never end a call in progress; dozens of them may come while a line is down. */
  device.on('error', (error: unknown) => {
    const fault = faultOf(error)
    if (fault === null) return
    if (call !== undefined) {
      // It ran out before a new one came: with that one the client takes the line up again.
      if (endingOf(fault, answered).kind === 'token_expired') emit({ kind: 'token_expiring' })
      return
    }
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
    let sample: ReturnType<typeof createLineSampler> | undefined
    started.on('accept', () => {
      answered = true
      sample = createLineSampler(started, taken => emit({ kind: 'sample', sample: taken }))
      emit({ kind: 'answered', ...named(started) })
      whenSoundPasses(started, () => emit({ kind: 'sound_passes' }))
    })
    const media = createMediaWatch(() => acknowledgeMedia(started))
    const silence = createSilenceWatch(arriving => emit({ kind: 'sound', arriving }))
    started.on('sample', taken => {
      media.sample(taken.packetsReceived)
      if (answered) silence.sample(taken.packetsReceived)
      sample?.(taken)
    })
    started.on('reconnecting', (error: unknown) => {
      const lost = faultOf(error)?.code === mediaLostCode ? 'media' : 'signalling'
      if (lost === 'media') media.lost()
      emit({ kind: 'reconnecting', lost })
    })
    started.on('reconnected', () => {
      media.back()
      silence.restart()
      emit({ kind: 'reconnected' })
    })
  }

  /** A hang-up while the service is out of reach is delivered when it is back. Returns whether one waits. */
  function leaveWord(): boolean {
    const callSid = call?.parameters['CallSid']
    if (!answered || callSid === undefined) return false
    const givingUp = setTimeout(destroyDevice, goodbyeTimeoutMs)
    const waits = leaveHangUp(device, callSid, () => {
      clearTimeout(givingUp)
      destroyDevice()
    })
    if (!waits) clearTimeout(givingUp)
    return waits
  }

  async function start(line: Line): Promise<void> {
    microphoneId = line.microphoneId
    holdMicrophone(line.microphone)
    // The client looks at the devices first. If it were done only after the call has its sound, it would take
    // them for new ones and open the microphone a second time, with a second prompt in some browsers.
    await navigator.mediaDevices.enumerateDevices().catch(() => [])
    if (over) return
    const callerId = line.callerId === undefined ? {} : { CallerId: line.callerId }
    const purpose = line.test ? { Purpose: 'test' } : {}
    const free = line.expectsFree ? { Free: 'expected' } : {}
    const params = { To: line.to, Attempt: attempt, ...callerId, ...purpose, ...free }
    try {
      const started = await device.connect({ params })
      if (over) started.disconnect()
      else follow(started)
      // Behind the client's own choice at its start, which is the system's.
      if (line.speakerId !== undefined) void changeSpeaker(line.speakerId)
    } catch (error) {
      end(startFailure(error))
    }
  }

  return {
    attempt,
    connect: line => void start(line),
    hangUp() {
      if (over) return
      const lingering = leaveWord()
      call?.disconnect()
      end({ kind: answered ? 'caller_hung_up' : 'cancelled' }, lingering)
    },
    mute: muted => call?.mute(muted),
    sendDigits(digits) {
      if (answered && !over) call?.sendDigits(digits)
    },
    changeSound: (kind, deviceId) =>
      kind === 'microphone' ? changeMicrophone(deviceId) : changeSpeaker(deviceId),
    microphone: () => (over ? null : (microphone ?? null)),
    updateToken(token) {
      if (!over) device.updateToken(token)
    },
    destroy() {
      if (!over) release()
    },
  }
}

function isUsable(microphone: MediaStream): boolean {
  return microphone.getAudioTracks().some(track => track.readyState === 'live')
}

function labelOf(microphone: MediaStream): string | undefined {
  return microphone.getAudioTracks()[0]?.label
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
