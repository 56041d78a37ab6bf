import { failure, type Result, success } from '#lib/result.ts'

export type MicrophoneFailure = 'microphone_denied' | 'microphone_missing' | 'microphone_busy'

/**
 * Asks for the microphone, with the browser's prompt if it must. Asked at the press of Call, or of what tries the
 * microphone, never before.
 * @param deviceId the one to be used; where it is not connected, or left out, the system's own choice
 */
export async function openMicrophone(deviceId?: string): Promise<Result<MediaStream, MicrophoneFailure>> {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  // A page without TLS, on another host than localhost, has no microphones at all.
  if (devices === undefined) return failure('microphone_denied')
  try {
    const wanted = deviceId === undefined ? true : { deviceId: { exact: deviceId } }
    return success(await devices.getUserMedia({ audio: wanted }))
  } catch (error) {
    if (deviceId !== undefined && isGone(error)) return openMicrophone()
    return failure(failureOf(error instanceof DOMException ? error.name : ''))
  }
}

/** A device that was asked for and is not connected. A browser that is merely asked to prefer one may take another. */
function isGone(error: unknown): boolean {
  return error instanceof Error && ['OverconstrainedError', 'NotFoundError'].includes(error.name)
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
