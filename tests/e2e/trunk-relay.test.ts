// @covers deploy/trunk
// @real-time
import { toneLoop } from '#server/telephony/exchange/media/tones.ts'
import { expect } from '#support/e2e.ts'
import { listen } from '#support/page-audio.ts'
import { dial, signUp } from '#support/people.ts'
import { startTrunkLab } from '#support/trunk/lab.ts'
import { relayIsMissing, startRelay } from '#support/trunk/relay.ts'
import { overTrunks } from '#support/trunk/story.ts'
import { openTelephone } from '#support/trunk/telephone.ts'

const test = overTrunks(async () => {
  const secret = 'a secret of this story'
  const relay = await startRelay({ secret, mediaHost: '127.0.0.1', transport: 'tcp' })
  const telephone = await openTelephone()
  const lab = await startTrunkLab(
    [{ name: 'american', behaviour: { kind: 'answers', mediaPort: telephone.port }, sells: { 1: 4000 } }],
    { relay: { address: `turn:127.0.0.1:${relay.port}?transport=tcp`, secret } },
  )
  return {
    ...{ lab, telephone },
    close: async () => {
      await lab.close()
      await telephone.close()
      await relay.close()
    },
  }
})
test.skip(relayIsMissing, 'coturn is not installed.')

test('a call from a network that lets no UDP through is heard both ways over the relay', async ({
  page,
  trunk: { lab, telephone },
}) => {
  // As in such a network, the browser has no other way than the relay.
  await page.addInitScript(() => {
    const Original = globalThis.RTCPeerConnection
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, iceTransportPolicy: 'relay' })
      }
    }
  })
  await signUp(page)
  await dial(page, '+1 212 555 0100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  telephone.speak(
    lab.carrier('american').invitations()[0] ?? '',
    toneLoop({ frequenciesHz: [1004], dbm0: -10 }),
  )
  await expect(async () => {
    const heard = await listen(page)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass()
  await expect
    .poll(() => telephone.heard.some(frame => frame.some(octet => (~octet & 0x7f) >= 0x60)))
    .toBe(true)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
})
