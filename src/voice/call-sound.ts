import type { Device as VendorDevice } from '@twilio/voice-sdk'
import { beginAudioSession } from './audio-session.ts'
import type { MicrophoneState } from './call.ts'
import { followInterruptions, type Playback } from './interruption-watch.ts'
import { closeMicrophone, openMicrophone } from './microphone.ts'
import type { ConnectOptions, VoiceClient } from './port.ts'
import { isFutileRequest, requestMicrophone } from './vendor-insides.ts'

const never = new Promise<never>(() => undefined)
/** How long the client may take to use another microphone. */
const changeTimeoutMs = 5000

export interface CallSound extends Pick<VoiceClient, 'changeSound' | 'microphone'> {
  /** For the client, which opens the microphone again at every change of devices. */
  getMicrophone(constraints: MediaStreamConstraints): Promise<MediaStream>
  /** @param chosen the open microphone, and the browser's id of it if the user chose one */
  start(chosen: Pick<ConnectOptions, 'microphone' | 'microphoneId'>): void
  /** Closes the microphone. Nothing is opened afterwards. */
  close(): void
}

/** `audio`: the client's, once its device exists. `onMicrophone`: called until `close`. */
export function createCallSound(
  audio: () => VendorDevice['audio'] | undefined,
  playback: () => Playback,
  onMicrophone: (state: MicrophoneState) => void,
): CallSound {
  let microphone: MediaStream | undefined
  let unplugged = false
  let microphoneId: string | undefined
  let over = false
  let opening: Promise<MediaStream> | undefined
  /** What the client has. */
  let given: MediaStream | undefined
  let endAudioSession = () => {}
  let endWatch = () => {}

  /**
   * Reopens the microphone if it is lost, once for all requests, as browsers may prompt. The client asks for each of a headset's
   * two devices, and stops its current stream when it gets one. So it never gets the same stream twice, nor one that it would
   * stop at once. Such requests stay open, because the client handles no rejection; if nothing else reopens the microphone,
   * the watch below does.
   */
  async function getMicrophone(constraints: MediaStreamConstraints): Promise<MediaStream> {
    if (given !== undefined && isFutileRequest(constraints)) return never
    const stream = microphone && isUsable(microphone) ? microphone : await reopen(constraints)
    if (stream === given) return never
    given = stream
    return stream
  }

  function reopen(constraints: MediaStreamConstraints): Promise<MediaStream> {
    opening ??= openChosen(constraints)
      .then(next => {
        // Meanwhile the call has ended, or the user has chosen another one.
        if (over || (microphone && isUsable(microphone))) closeMicrophone(next)
        else takeMicrophone(next)
        return microphone ?? next
      })
      .finally(() => {
        opening = undefined
      })
    return opening
  }

  function takeMicrophone(next: MediaStream): void {
    const [former, wasLost] = [microphone, unplugged]
    holdMicrophone(next)
    if (!isSame(former, next)) onMicrophone('changed')
    else if (wasLost) onMicrophone('fine')
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
        onMicrophone('lost')
      })
  }

  /** Without another microphone the call continues, and the client checks again at the next device change. */
  async function replaceMicrophone(): Promise<void> {
    const [devices, next] = [audio(), inputIdOf(microphoneId)]
    if (over || opening || !devices || next === undefined) return
    if (microphone && isUsable(microphone)) return
    try {
      await requestMicrophone(devices, next)
    } catch (error) {
      console.error('Another microphone could not be opened.', error)
    }
  }

  function holds(deviceId: string | undefined): boolean {
    return microphone !== undefined && canHear(microphone) && idOf(microphone) === deviceId
  }

  /** Opened before the client releases the old one, which stays in use if this one fails. */
  async function changeMicrophone(deviceId: string | undefined): Promise<boolean> {
    if (over) return false
    if (deviceId !== undefined && holds(deviceId)) {
      microphoneId = deviceId
      return true
    }
    const next = await openMicrophone(deviceId)
    if (!next.ok) return false
    if (over) {
      closeMicrophone(next.value)
      return false
    }
    const former = microphone
    const wasLost = unplugged
    microphoneId = deviceId
    const openedId = idOf(next.value)
    if (holds(openedId)) {
      closeMicrophone(next.value)
      return true
    }
    holdMicrophone(next.value)
    try {
      // Whatever device it is given, the client receives the stream that we hold now.
      const devices = audio()
      if (devices) await inTime(requestMicrophone(devices, inputIdOf(openedId) ?? ''))
    } catch (error) {
      console.error('The microphone could not be changed.', error)
      closeMicrophone(next.value)
      if (former) holdMicrophone(former)
      if (!former || !isUsable(former)) void replaceMicrophone()
      return false
    }
    if (former && former !== next.value) closeMicrophone(former)
    if (wasLost && !over) onMicrophone(isSame(former, next.value) ? 'fine' : 'changed')
    return true
  }

  /** The client's id of a microphone: not every browser lists the system's default as a device. */
  function inputIdOf(deviceId: string | undefined): string | undefined {
    const available = [...(audio()?.availableInputDevices.keys() ?? [])]
    return available.find(id => id === deviceId) ?? available[0]
  }

  /** If the browser lacks the speaker or does not allow the choice, the system's default stays. */
  async function changeSpeaker(deviceId: string | undefined): Promise<boolean> {
    const speakers = audio()
    if (over || !speakers?.isOutputSelectionSupported) return false
    const ids = [...speakers.availableOutputDevices.keys()]
    // Firefox has no such id: the first that it lists is the default, and where it lists none, no other can be in use.
    const id = deviceId ?? (ids.includes('default') ? 'default' : ids[0])
    if (id === undefined) return true
    if (!ids.includes(id)) return false
    try {
      await speakers.speakerDevices.set(id)
      return true
    } catch (error) {
      console.error('The speaker could not be changed.', error)
      return false
    }
  }

  return {
    getMicrophone,
    start(chosen) {
      endAudioSession = beginAudioSession()
      microphoneId = chosen.microphoneId
      holdMicrophone(chosen.microphone)
      endWatch = followInterruptions({
        microphone: () => microphone?.getAudioTracks()[0],
        playback,
        reopen: () => void replaceMicrophone(),
        notify: interrupted => onMicrophone(interrupted ? 'interrupted' : 'fine'),
      })
    },
    changeSound: (kind, deviceId) =>
      kind === 'microphone' ? changeMicrophone(deviceId) : changeSpeaker(deviceId),
    microphone: () => (over ? null : (microphone ?? null)),
    close() {
      over = true
      endWatch()
      endAudioSession()
      if (microphone) closeMicrophone(microphone)
    },
  }
}

function isUsable(microphone: MediaStream): boolean {
  return microphone.getAudioTracks().some(track => track.readyState === 'live')
}

/** @throws Error if it takes longer than `changeTimeoutMs` */
function inTime(change: Promise<void>): Promise<void> {
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('it was not used in time')), changeTimeoutMs)
  })
  return Promise.race([change, tooLate])
}

/** Usable, and not muted by the system or by the user in the browser's own controls. */
function canHear(microphone: MediaStream): boolean {
  return microphone.getAudioTracks().some(track => track.readyState === 'live' && !track.muted)
}

/** The browser's id of the device. */
function idOf(microphone: MediaStream): string | undefined {
  return microphone.getAudioTracks()[0]?.getSettings().deviceId
}

function isSame(former: MediaStream | undefined, next: MediaStream): boolean {
  return former?.getAudioTracks()[0]?.label === next.getAudioTracks()[0]?.label
}
