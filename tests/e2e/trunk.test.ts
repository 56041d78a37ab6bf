import { toneLoop } from '#server/telephony/exchange/media/tones.ts'
import { test as base, expect } from '#support/e2e.ts'
import { listen } from '#support/page-audio.ts'
import { dial, signUp } from '#support/people.ts'
import { startTestServer } from '#support/test-server.ts'
import { trunkIsMissing } from '#support/trunk/edge.ts'
import { startTrunkLab, type TrunkLab } from '#support/trunk/lab.ts'
import { openTelephone, type Telephone } from '#support/trunk/telephone.ts'

interface Trunk {
  readonly lab: TrunkLab
  readonly telephone: Telephone
}

/** A server whose calls leave over trunks. Each country is sold by other carriers. */
const test = base.extend<object, { trunk: Trunk }>({
  trunk: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other one
    async ({}, use) => {
      const telephone = await openTelephone()
      const answers = { kind: 'answers', mediaPort: telephone.port } as const
      const lab = await startTrunkLab([
        { name: 'american', behaviour: answers, sells: { 1: 4000 } },
        { name: 'silent', behaviour: { kind: 'silent' }, sells: { 44: 3000 } },
        { name: 'british', behaviour: answers, sells: { 44: 4000 } },
      ])
      await use({ lab, telephone })
      await lab.close()
      await telephone.close()
    },
    { scope: 'worker' },
  ],
  farline: [
    async ({ trunk }, use) => {
      const server = await startTestServer({
        environment: { TELEPHONY: 'trunk', TRUNK_FILE: trunk.lab.file },
      })
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
})
test.skip(trunkIsMissing, 'Kamailio, rtpengine or SIPp is not installed.')

const tone = toneLoop({ frequenciesHz: [1004], dbm0: -10 })

async function signUpWithCredit(
  page: Parameters<typeof dial>[0],
  admin: (...args: string[]) => Promise<string>,
  usd: string,
) {
  const email = await signUp(page)
  await admin('credit', email, usd, '--reason', 'an end-to-end test')
  await page.reload()
  return email
}

test('a call over a trunk is heard both ways, takes keys, is charged and has a receipt', async ({
  page,
  farline,
  trunk,
}) => {
  const { lab, telephone } = trunk
  await signUpWithCredit(page, farline.admin, '5')
  await dial(page, '+1 212 555 0100')
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  const [invitation = ''] = lab.carrier('american').invitations()
  expect(invitation).toContain('INVITE sip:+12125550100@')
  telephone.speak(invitation, tone)
  await expect(async () => {
    const heard = await listen(page)
    expect(Math.abs(heard.hz - 1004)).toBeLessThan(8)
    expect(heard.rms).toBeGreaterThan(0.01)
  }).toPass()
  // The browser's microphone plays beeps.
  await expect
    .poll(() => telephone.heard.some(frame => frame.some(octet => (octet & 0x7f) < 0x60)))
    .toBe(true)
  await page.getByRole('button', { name: 'Keypad' }).click()
  for (const key of '1590#') await page.keyboard.press(key)
  await expect.poll(() => telephone.digits.join('')).toBe('1590#')
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
  await expect.poll(() => lab.carrier('american').count('BYE')).toBe(1)
})

test('killing the first carrier in the middle of placing moves the call to the second', async ({
  page,
  farline,
  trunk,
}) => {
  const { lab } = trunk
  await signUpWithCredit(page, farline.admin, '5')
  await dial(page, '+44 20 7183 8750')
  await expect.poll(() => lab.carrier('silent').invitations().length).toBeGreaterThan(0)
  await lab.carrier('silent').kill()
  const killedAt = performance.now()
  await expect(page.getByText('In Call', { exact: true })).toBeVisible()
  expect(performance.now() - killedAt).toBeLessThan(3000)
  expect(lab.carrier('british').invitations()).toHaveLength(1)
  await page.getByRole('button', { name: 'Hang up' }).click()
  await expect(page.getByText('Call Disconnected')).toBeVisible()
})
