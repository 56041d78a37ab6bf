/**
 * The vendor's public edges. The voice client connects to `roaming` first, and to the edge that it names when it reconnects.
 * The private interconnect edges (`-ix`) serve no browser on the open internet. Source: `Edge` of @twilio/voice-sdk 2.18,
 * twilio.com/docs/voice/sdks/javascript/edges.
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
 * `connect-src` sources for the voice client: a policy allows no wildcard within a name. Audio is WebRTC, which no such
 * source governs; the client's sounds are our files, and its reports to the vendor are off (`src/voice`).
 */
export const voiceClientHosts: readonly string[] = edges.map(edge => `wss://voice-js.${edge}.twilio.com`)
