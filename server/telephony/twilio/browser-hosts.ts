/**
 * The vendor's public edges, of which the voice client asks `roaming` first and, once that has told it which is near,
 * that one when it connects anew. Its private interconnect edges (`-ix`) serve no browser on the open internet.
 * Source: `Edge` of @twilio/voice-sdk 2.18, twilio.com/docs/voice/sdks/javascript/edges.
 */
const edges = [
  'roaming',
  'ashburn',
  'umatilla',
  'dublin',
  'frankfurt',
  'singapore',
  'sydney',
  'tokyo',
  'sao-paulo',
] as const

/**
 * What a page in which the voice client runs may connect to besides ourselves, as sources of `connect-src`: the
 * signalling, named host by host, as a policy has no wildcard within a name. Sound is WebRTC, which no such source
 * governs; the client's own sounds are files of ours and its reports to the vendor are off (`src/voice`), so neither
 * `media-src` nor anything over https is needed.
 */
export const voiceClientHosts: readonly string[] = edges.map(edge => `wss://voice-js.${edge}.twilio.com`)
