import { describe, expect, test } from 'vitest'
import { seeded } from '#support/seeded.ts'
import { maxSdpLength, readBrowserSdp } from './browser-sdp.ts'

const fingerprint = `sha-256 ${Array.from({ length: 32 }, (_, index) => (index + 16).toString(16).toUpperCase()).join(':')}`

/** As Chromium 156 writes it, with fewer codecs. */
const chromium = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'a=extmap-allow-mixed',
  'a=msid-semantic: WMS 7f2e',
  'm=audio 40312 UDP/TLS/RTP/SAVPF 111 0 8 110 126',
  'c=IN IP4 192.168.1.20',
  'a=rtcp:9 IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2122260223 192.168.1.20 40312 typ host generation 0 network-id 1',
  'a=candidate:2 1 udp 1686052607 203.0.113.9 40312 typ srflx raddr 192.168.1.20 rport 40312 generation 0',
  'a=ice-ufrag:EsAw',
  'a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1',
  'a=ice-options:trickle',
  `a=fingerprint:${fingerprint}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  'a=sendrecv',
  'a=msid:7f2e 9c1d',
  'a=rtcp-mux',
  'a=rtcp-rsize',
  'a=rtpmap:111 opus/48000/2',
  'a=rtcp-fb:111 transport-cc',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:110 telephone-event/48000',
  'a=rtpmap:126 telephone-event/8000',
  'a=ssrc:2231627014 cname:{0b2c4b3a}',
  'a=ssrc:2231627014 msid:7f2e 9c1d',
  '',
].join('\r\n')

/** Firefox names what belongs to DTLS and ICE above the stream, too. */
const firefox = [
  'v=0',
  'o=mozilla...THIS_IS_SDPARTA-99.0 7539481620 0 IN IP4 0.0.0.0',
  's=-',
  't=0 0',
  `a=fingerprint:${fingerprint}`,
  'a=group:BUNDLE 0',
  'a=ice-options:trickle',
  'a=msid-semantic:WMS *',
  'm=audio 9 UDP/TLS/RTP/SAVPF 109 9 0 8 101',
  'c=IN IP4 0.0.0.0',
  'a=sendrecv',
  'a=end-of-candidates',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  'a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1',
  'a=fmtp:101 0-15',
  'a=ice-pwd:8f2b1f0d8a3c4e5f6071829304a5b6c7',
  'a=ice-ufrag:9f8e7d6c',
  'a=mid:0',
  'a=rtcp-mux',
  'a=rtpmap:109 opus/48000/2',
  'a=rtpmap:9 G722/8000/1',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=setup:actpass',
  '',
].join('\r\n')

const streamsOf = (sdp: string) => sdp.match(/^m=.*$/gm) ?? []

describe('the SDP of a browser', () => {
  test.each([
    ['Chromium', chromium],
    ['Firefox', firefox],
  ])('of %s keeps its codecs, keys and checks, and loses every address', (_, sdp) => {
    const read = readBrowserSdp(sdp)
    if (read === undefined) throw new Error('it was not taken')
    expect(streamsOf(read)).toEqual([expect.stringMatching(/^m=audio 9 UDP\/TLS\/RTP\/SAVPF /)])
    for (const line of sdp.split('\r\n'))
      if (/^a=(?:ice-ufrag|ice-pwd|fingerprint|setup|rtpmap|fmtp|rtcp-mux)/.test(line))
        expect(read).toContain(`${line}\r\n`)
    expect(read).not.toMatch(/candidate|192\.168|203\.0\.113|127\.0\.0\.1|msid/)
    expect(read.match(/^c=.*$/gm)).toEqual(['c=IN IP4 0.0.0.0'])
  })

  test('says trickle where rtpengine reads it, beneath the stream', () => {
    const read = readBrowserSdp(firefox) ?? ''
    expect(read.indexOf('a=ice-options:trickle')).toBeGreaterThan(read.indexOf('m=audio'))
    expect(read.match(/ice-options/g)).toHaveLength(1)
    expect(read.indexOf('a=fingerprint:')).toBeGreaterThan(read.indexOf('m=audio'))
  })

  test('may have a candidate for each of a hundred networks', () => {
    const candidate =
      'a=candidate:1 1 udp 2122260223 192.168.1.20 40312 typ host generation 0 network-id 1\r\n'
    expect(readBrowserSdp(chromium + candidate.repeat(100))).toBe(readBrowserSdp(chromium))
  })

  test.each(['sendonly', 'recvonly', 'inactive'])('with %s is sendrecv all the same', direction => {
    expect(readBrowserSdp(chromium.replace('a=sendrecv', `a=${direction}`))).toBe(readBrowserSdp(chromium))
  })

  test('is read again to the same', () => {
    for (const sdp of [chromium, firefox]) {
      const read = readBrowserSdp(sdp) ?? ''
      expect(readBrowserSdp(read)).toBe(read)
    }
  })

  test.each([
    ['plain RTP', chromium.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP')],
    ['keys in the SDP', chromium.replace('UDP/TLS/RTP/SAVPF', 'RTP/SAVP')],
    ['no fingerprint', chromium.replace(/^a=fingerprint:.*\r\n/m, '')],
    ['a fingerprint that is none', chromium.replace(fingerprint, 'sha-256 00:11')],
    ['a weak hash', chromium.replace('sha-256', 'md5')],
    ['no ICE', chromium.replace(/^a=ice-(?:ufrag|pwd):.*\r\n/gm, '')],
    ['no multiplexing', chromium.replace('a=rtcp-mux\r\n', '')],
    ['no DTLS side', chromium.replace(/^a=setup:.*\r\n/m, '')],
    ['a video', chromium.replace('m=audio', 'm=video')],
    ['two streams', `${chromium}m=audio 9 UDP/TLS/RTP/SAVPF 0\r\n`],
    ['300 streams more', chromium + 'm=audio 9 RTP/AVP 0\r\n'.repeat(300)],
    [
      '40 codecs',
      chromium.replace('SAVPF 111', `SAVPF ${Array.from({ length: 40 }, (_, nth) => nth + 20).join(' ')}`),
    ],
    ['a codec that RTP cannot name', chromium.replace('SAVPF 111', 'SAVPF 128')],
    ['too many letters', `${chromium}${'a=x\r\n'.repeat(maxSdpLength / 4)}`],
    ['no version', chromium.replace('v=0', 'v=1')],
    ['no origin', chromium.replace(/^o=.*\r\n/m, '')],
    ['nothing', ''],
    ['no SDP', 'not an SDP'],
  ])('with %s is not taken', (_, sdp) => {
    expect(readBrowserSdp(sdp)).toBeUndefined()
  })

  test('keeps nothing of an attribute that is not as it should be, and each of a kind once', () => {
    const read =
      readBrowserSdp(
        `${chromium}a=ice-ufrag:other\r\na=rtcp:9 IN IP4 198.51.100.7\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:x\r\na=fmtp:0 \u0000\r\na=fmtp:0 ${'x'.repeat(300)}\r\na=ssrc:1 x:y\r\na=__proto__:x\r\n`,
      ) ?? ''
    expect(read).toBe(readBrowserSdp(chromium))
  })
})

test('of 5,000 damaged ones none brings along a second stream, an address, or an attribute that we do not know', () => {
  const random = seeded(20_261_128)
  const below = (limit: number) => Math.floor(random() * limit)
  const alphabet = [
    '\r\n',
    '\n',
    '\r',
    'm=',
    'a=',
    'c=IN IP4 198.51.100.7',
    ' ',
    ':',
    '/',
    '9',
    'é',
    '\u0000',
    'm=audio 1 RTP/AVP 0',
  ]
  let taken = 0
  for (let round = 0; round < 5000; round += 1) {
    let sdp = random() < 0.5 ? chromium : firefox
    for (let cuts = below(4); cuts >= 0; cuts -= 1) {
      const at = below(sdp.length)
      const removed = random() < 0.5 ? 0 : below(40)
      const added = Array.from({ length: below(4) }, () => alphabet[below(alphabet.length)]).join('')
      sdp = sdp.slice(0, at) + added + sdp.slice(at + removed)
    }
    const read = readBrowserSdp(sdp)
    if (read === undefined) continue
    taken += 1
    expect(streamsOf(read)).toHaveLength(1)
    expect(read.length).toBeLessThanOrEqual(maxSdpLength + 200)
    expect(read).not.toMatch(/candidate|203\.0|192\.168|[^\x20-\x7e\r\n]/)
    for (const line of read.trimEnd().split('\r\n'))
      expect(line).toMatch(
        /^(?:v=0|o=- \d+ \d+ IN IP4 0\.0\.0\.0|s=-|t=0 0|m=audio 9 .*|c=IN IP4 0\.0\.0\.0|a=(?:ice-ufrag|ice-pwd|fingerprint|setup|mid|rtpmap|fmtp|rtcp-fb|extmap|ptime|maxptime|ssrc|group):\S.*|a=rtcp-mux|a=rtcp-rsize|a=ice-options:trickle|a=sendrecv)$/,
      )
  }
  // Most damage falls on lines that may be missing.
  expect(taken).toBeGreaterThan(500)
})
