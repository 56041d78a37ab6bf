import type { CallObstacle } from '#lib/calls/end-reasons.ts'

/** Null if calls are possible here. Browser only. */
export function findCallObstacle(): CallObstacle | null {
  // Browsers grant no microphone without TLS, except on localhost (W3C Secure Contexts).
  if (!globalThis.isSecureContext) return 'page_insecure'
  const devices = navigator.mediaDevices as MediaDevices | undefined
  const canCall = typeof RTCPeerConnection === 'function' && typeof devices?.getUserMedia === 'function'
  return canCall ? null : 'browser_unsupported'
}
