import type { Call as VendorCall } from '@twilio/voice-sdk'
import type { VoiceRoute } from '#lib/api/token.ts'
import type { EndReason } from '#lib/calls/end-reasons.ts'
import { deviceOptions, loadSdk, mediaLostCode, type Sdk } from './device-options.ts'
import { endReasonOf, faultOf } from './error-codes.ts'
import { createLineSampler } from './line-sampler.ts'
import { createMediaWatch } from './media-watch.ts'
import { closeMicrophone, openMicrophone } from './microphone.ts'
import type { ConnectOptions, OpenVoice, VoiceClient, VoiceCredential, VoiceEvent } from './port.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { acknowledgeMedia, leaveHangUp, whenSoundPasses } from './vendor-insides.ts'

const connectTimeoutMs = 15_000
/** The client switches to another microphone itself if the browser reports the change; otherwise we do after this. */
const microphoneGraceMs = 1000
/** How long an undelivered hang-up waits for a socket; after that the server has ended the call by itself. */
const goodbyeTimeoutMs = 60_000

/** The browser's phone on the vendor's client. Rejects if the client cannot be loaded. */
export async function loadVoice(route: VoiceRoute): Promise<OpenVoice> {
  const sdk = await loadSdk(route)
  return (credential, onEvent) => openVoice(sdk, credential, onEvent)
}

function openVoice(sdk: Sdk, credential: VoiceCredential, onEvent: (event: VoiceEvent) => void): VoiceClient {
  let microphone: MediaStream | undefined
  let unplugged = false
  let microphoneId: string | undefined
  let call: VendorCall | undefined
  let answered = false
  let over = false
  const attempt = crypto.randomUUID()

  /** Reopens if unplugged, or closed by the client to reacquire the audio. Emits only for another microphone. */
  async function getMicrophone(constraints: MediaStreamConstraints): Promise<MediaStream> {
    if (microphone && isUsable(microphone)) return microphone
    const next = await openChosen(constraints)
    const changed = unplugged || labelOf(next) !== (microphone && labelOf(microphone))
    if (over) closeMicrophone(next)
    else holdMicrophone(next)
    if (changed) emit({ kind: 'microphone', state: 'changed' })
    return next
  }

  /** At every device change the client requests the system's default again, even if another device was chosen. */
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
        setTimeout(() => void replaceMicrophone(), microphoneGraceMs)
      })
  }

  /** Without another microphone the call continues, and the client checks again at the next device change. */
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

  /** Opened before the client releases the old one, which stays in use if this one fails. */
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
      // The client would keep its current stream.
      closeMicrophone(next.value)
      return true
    }
    holdMicrophone(next.value)
    try {
      // Whatever device it is given, the client receives the stream that we hold now.
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

  /** The client's id of a microphone: not every browser lists the system's default as a device. */
  function inputIdOf(deviceId: string | undefined): string {
    const available = [...(device.audio?.availableInputDevices.keys() ?? [])]
    return available.find(id => id === deviceId) ?? available[0] ?? ''
  }

  /** If the browser lacks the speaker or does not allow the choice, the system's default stays. */
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
    // An 'error' event without a listener would throw.
    device.on('error', () => undefined)
  }

  /** @param lingering the device still has a hang-up to deliver and destroys itself afterwards */
  function release(lingering = false): void {
    over = true
    clearTimeout(timeout)
    if (!lingering) destroyDevice()
    if (microphone) closeMicrophone(microphone)
  }

  function emit(event: VoiceEvent): void {
    if (!over) onEvent(event)
  }

  function end(endReason: EndReason, lingering = false): void {
    if (over) return
    release(lingering)
    onEvent({ kind: 'ended', endReason })
  }

  function closedSilently(): EndReason {
    return { kind: answered ? 'connection_lost' : 'client_disconnected' }
  }

  /** Device errors never end a call in progress; an outage can emit dozens. */
  device.on('error', (error: unknown) => {
    const fault = faultOf(error)
    if (fault === null) return
    if (call !== undefined) {
      // The token expired before it was renewed; with a new one the client reconnects.
      if (endReasonOf(fault, answered).kind === 'token_expired') emit({ kind: 'token_expiring' })
      return
    }
    const endReason = endReasonOf(fault, false)
    if (endReason.kind !== 'client_disconnected' && endReason.kind !== 'media_failed') end(endReason)
  })
  device.on('tokenWillExpire', () => emit({ kind: 'token_expiring' }))

  /** Our exchange uses the server's call id; the vendor uses its own. */
  function named({ parameters }: VendorCall): { readonly callId?: string } {
    const callId = parameters['CallSid']
    return credential.route.kind === 'exchange' && callId !== undefined ? { callId } : {}
  }

  function follow(started: VendorCall): void {
    call = started
    clearTimeout(timeout)
    // The client closes the call just before or just after it reports a fatal error; other errors close
    // nothing. So both handlers check in a microtask.
    let failing = false
    started.on('error', (error: unknown) => {
      const fault = faultOf(error)
      failing = true
      queueMicrotask(() => {
        failing = false
        if (started.status() !== 'closed') return
        end(fault === null ? closedSilently() : endReasonOf(fault, answered))
      })
    })
    started.on('disconnect', () => {
      queueMicrotask(() => {
        if (!failing) end({ kind: answered ? 'callee_hung_up' : 'no_answer' })
      })
    })
    started.on('cancel', () => end({ kind: 'no_answer' }))
    // Before the answer a lost socket closes the call without an event.
    started.on('transportClose', () => {
      queueMicrotask(() => {
        if (started.status() === 'closed') end(closedSilently())
      })
    })
    started.on('ringing', () => emit({ kind: 'ringing', ...named(started) }))
    let sample: ReturnType<typeof createLineSampler> | undefined
    started.on('accept', () => {
      answered = true
      sample = createLineSampler(started, lineSample => emit({ kind: 'sample', sample: lineSample }))
      emit({ kind: 'answered', ...named(started) })
      whenSoundPasses(started, () => emit({ kind: 'sound_passes' }))
    })
    const media = createMediaWatch(() => acknowledgeMedia(started))
    const silence = createSilenceWatch(arriving => emit({ kind: 'sound', arriving }))
    started.on('sample', lineSample => {
      media.sample(lineSample.packetsReceived)
      if (answered) silence.sample(lineSample.packetsReceived)
      sample?.(lineSample)
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

  /**
   * A hang-up while the service is unreachable is delivered after the reconnect.
   * @returns whether one is pending
   */
  function hasFarewell(): boolean {
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

  async function start(options: ConnectOptions): Promise<void> {
    microphoneId = options.microphoneId
    holdMicrophone(options.microphone)
    // Lets the client enumerate the devices first. Otherwise, once the call has audio, it would take them for
    // new ones and open the microphone again, with a second prompt in some browsers.
    await navigator.mediaDevices.enumerateDevices().catch(() => [])
    if (over) return
    const callerId = options.callerId === undefined ? {} : { CallerId: options.callerId }
    const purpose = options.test ? { Purpose: 'test' } : {}
    const free = options.expectsFree ? { Free: 'expected' } : {}
    const rate =
      options.expectsRateMicroUsd === undefined ? {} : { Rate: String(options.expectsRateMicroUsd) }
    const params = { To: options.to, Attempt: attempt, ...callerId, ...purpose, ...free, ...rate }
    try {
      const started = await device.connect({ params })
      if (over) started.disconnect()
      else follow(started)
      // After the client's own choice at its start, the system's default.
      if (options.speakerId !== undefined) void changeSpeaker(options.speakerId)
    } catch (error) {
      end(startFailure(error))
    }
  }

  return {
    attempt,
    connect: options => void start(options),
    hangUp() {
      if (over) return
      const lingering = hasFarewell()
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

function startFailure(error: unknown): EndReason {
  const fault = faultOf(error)
  if (fault !== null) return endReasonOf(fault, false)
  const text = error instanceof Error ? error.message : ''
  if (/already active/.test(text)) return { kind: 'already_active' }
  if (/destroyed/.test(text)) return { kind: 'client_destroyed' }
  return { kind: 'client_disconnected' }
}
