/**
 * A browser's SDP that was taken apart and put together again from what a call needs (RFC 8866, RFC 8829): one audio stream over
 * DTLS and ICE, and no address. Only `readBrowserSdp` makes one, so nothing else of a browser's reaches a media host.
 */
export type BrowserSdp = string & { readonly __checked: 'browser sdp' }

/** Letters, candidates not counted: a machine with many networks names dozens. Chromium writes 2,000 to 3,000. */
export const maxSdpLength = 8192
const maxPayloadTypes = 32
/** Seven bits of each packet (RFC 3550, section 5.1). */
const maxPayloadType = 127

/** Named by each description that we take; both sides encrypt, and prove over ICE that they want the sound. */
const required = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup', 'rtcp-mux'] as const

/** May stand above the stream, and is then the stream's (RFC 8839, section 5.4; RFC 8842, section 5.1). */
const sharedNames: ReadonlySet<string> = new Set(['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup'])

/**
 * What a browser may say of its stream, by the attribute's name. Candidates and addresses are not among it: a media host would
 * send sound wherever they point. It learns a browser's address from the browser's own checks.
 */
const attributes: Readonly<Record<string, RegExp>> = {
  'ice-ufrag': /^[\w+/-]{4,256}$/,
  'ice-pwd': /^[\w+/-]{22,256}$/,
  fingerprint: /^sha-(?:256|384|512) (?:[0-9a-f]{2}:){31,63}[0-9a-f]{2}$/i,
  setup: /^(?:actpass|active|passive)$/,
  'rtcp-mux': /^$/,
  'rtcp-rsize': /^$/,
  mid: /^[\w-]{1,32}$/,
  rtpmap: /^\d{1,3} [\w.-]{1,32}\/\d{1,6}(?:\/\d)?$/,
  fmtp: /^\d{1,3} [\w ;=,./-]{1,256}$/,
  'rtcp-fb': /^(?:\d{1,3}|\*) [\w ./-]{1,64}$/,
  extmap: /^\d{1,3}(?:\/\w{1,16})? [\w:./-]{1,128}$/,
  ptime: /^\d{1,3}$/,
  maxptime: /^\d{1,3}$/,
  ssrc: /^\d{1,10} cname:[\w+/{}@.-]{1,256}$/,
}
/** The others appear once in a stream. */
const repeatable: ReadonlySet<string> = new Set(['rtpmap', 'fmtp', 'rtcp-fb', 'extmap', 'ssrc'])

interface Attribute {
  readonly name: string
  readonly value: string
}

/**
 * Checks an offer or an answer of a browser. The stream is `sendrecv` whatever the browser says: nobody asks a carrier for silence.
 * Candidates are not taken over, and the `trickle` that their absence needs stands where rtpengine looks for it (Firefox writes it
 * above the stream, where rtpengine 10.5 takes the missing address for a hold).
 * @param text as the browser wrote it; the signalling socket bounds its length
 * @returns undefined for anything but one encrypted audio stream, or for more than `maxSdpLength`
 */
export function readBrowserSdp(text: string): BrowserSdp | undefined {
  const lines = text.split(/\r?\n/).filter(line => !line.startsWith('a=candidate:'))
  const sdp = lines.join('\n')
  if (sdp.length > maxSdpLength) return undefined
  const streamAt = lines.findIndex(line => line.startsWith('m='))
  const audio = /^m=audio \d{1,5} UDP\/TLS\/RTP\/SAVPF((?: \d{1,3})+)$/.exec(lines[streamAt] ?? '')?.[1]
  const origin = /^o=\S{1,64} (\d{1,20} \d{1,20}) IN IP[46] \S{1,64}$/m.exec(sdp)?.[1]
  if (lines[0] !== 'v=0' || audio === undefined || origin === undefined) return undefined
  const types = [...new Set(audio.trim().split(' '))]
  const stream = lines.slice(streamAt + 1)
  const isPossible = types.length <= maxPayloadTypes && types.every(type => Number(type) <= maxPayloadType)
  if (!isPossible || stream.some(line => line.startsWith('m='))) return undefined

  const own = stream.flatMap(readAttribute)
  const shared = lines
    .slice(0, streamAt)
    .flatMap(readAttribute)
    .filter(({ name }) => sharedNames.has(name) && !own.some(one => one.name === name))
  const kept = [...shared, ...own].filter(
    ({ name }, index, all) => repeatable.has(name) || all.findIndex(one => one.name === name) === index,
  )
  if (required.some(name => !kept.some(one => one.name === name))) return undefined
  const mid = kept.find(({ name }) => name === 'mid')?.value
  return `${[
    'v=0',
    `o=- ${origin} IN IP4 0.0.0.0`,
    's=-',
    't=0 0',
    ...(mid === undefined ? [] : [`a=group:BUNDLE ${mid}`]),
    `m=audio 9 UDP/TLS/RTP/SAVPF ${types.join(' ')}`,
    'c=IN IP4 0.0.0.0',
    ...kept.map(({ name, value }) => (value === '' ? `a=${name}` : `a=${name}:${value}`)),
    'a=ice-options:trickle',
    'a=sendrecv',
  ].join('\r\n')}\r\n` as BrowserSdp
}

/**
 * What this process writes itself, as a browser towards a trunk, needs no check. It keeps its candidates: it is ICE-lite, and
 * waits for the checks of the media host.
 */
export function ownSdp(sdp: string): BrowserSdp {
  return sdp as BrowserSdp
}

/** None for a line that is no attribute, or one that we do not know. */
function readAttribute(line: string): readonly Attribute[] {
  const { name = '', value = '' } = /^a=(?<name>[a-z-]+)(?::(?<value>.*))?$/.exec(line)?.groups ?? {}
  return Object.hasOwn(attributes, name) && attributes[name]?.test(value) === true ? [{ name, value }] : []
}
