import { failure, type Result, success } from '#lib/result.ts'

export type MicrophoneFailure = 'microphone_denied' | 'microphone_missing' | 'microphone_busy'

/** Asks for the microphone, with the browser's prompt if it must. Asked at the press of Call, never before. */
export async function openMicrophone(): Promise<Result<MediaStream, MicrophoneFailure>> {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  // A page without TLS, on another host than localhost, has no microphones at all.
  if (devices === undefined) return failure('microphone_denied')
  try {
    return success(await devices.getUserMedia({ audio: true }))
  } catch (error) {
    return failure(failureOf(error instanceof DOMException ? error.name : ''))
  }
}

/** The names that browsers give, old ones included (W3C Media Capture, section 10.3). */
function failureOf(name: string): MicrophoneFailure {
  switch (name) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
    case 'SecurityError':
      return 'microphone_denied'
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return 'microphone_busy'
    default:
      return 'microphone_missing'
  }
}

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
