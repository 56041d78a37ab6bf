import type { CallObstacle } from '#lib/calls/end-reasons.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { findCallObstacle } from './call-obstacle.ts'

export type MicrophoneFailure = 'microphone_denied' | 'microphone_missing' | 'microphone_busy' | CallObstacle

/**
 * Opens the microphone. Call only on a press of Call or of a test: the browser may prompt.
 * @param deviceId falls back to the system's default if omitted or not connected
 */
export async function openMicrophone(deviceId?: string): Promise<Result<MediaStream, MicrophoneFailure>> {
  const obstacle = findCallObstacle()
  if (obstacle !== null) return failure(obstacle)
  try {
    const wanted = deviceId === undefined ? true : { deviceId: { exact: deviceId } }
    return success(await navigator.mediaDevices.getUserMedia({ audio: wanted }))
  } catch (error) {
    if (deviceId !== undefined && isGone(error)) return openMicrophone()
    return failure(failureOf(error instanceof DOMException ? error.name : ''))
  }
}

/** A requested device that is not connected. With a mere preference, a browser may pick another device. */
function isGone(error: unknown): boolean {
  return error instanceof Error && ['OverconstrainedError', 'NotFoundError'].includes(error.name)
}

/** Error names of browsers, old ones included (W3C Media Capture, section 10.3). */
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

/** Whether the browser would prompt for the microphone; false if unknown. */
export async function willAskForMicrophone(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'microphone' as PermissionName })
    return state === 'prompt'
  } catch {
    // Older browsers do not know this permission.
    return false
  }
}
