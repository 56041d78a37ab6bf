import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { moduleIsMissing, trunkIsMissing } from '#support/trunk/edge.ts'
import { call, closeAfterwards, openWorld } from '#support/trunk/world.ts'

const certificate = 'https://certificates.example/farline.pem'

async function openSigningWorld() {
  const directory = mkdtempSync(join(tmpdir(), 'farline-stir-'))
  closeAfterwards(async () => rmSync(directory, { recursive: true }))
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const file = join(directory, 'stir.pem')
  writeFileSync(file, privateKey.export({ type: 'sec1', format: 'pem' }))
  const world = await openWorld([{ kind: 'answers' }], '', {
    environment: { EDGE_STIR_KEY: file, EDGE_STIR_CERTIFICATE: certificate },
  })
  return { world, publicKey: createPublicKey(privateKey) }
}

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

describe.skipIf(trunkIsMissing() || moduleIsMissing('secsipid'))('an edge that signs', () => {
  test.each(['A', 'B'] as const)('a call with attestation %s', async attestation => {
    const { world, publicKey } = await openSigningWorld()
    await call(world, { attestation }).until('answered')
    const [invitation = ''] = world.carriers[0]?.invitations() ?? []
    const [, token = '', parameters = ''] = /^Identity: *([\w.-]+)(;.*?)\r?$/m.exec(invitation) ?? []
    const [header = '', payload = '', signature = ''] = token.split('.')
    expect(decode(header)).toEqual({ alg: 'ES256', ppt: 'shaken', typ: 'passport', x5u: certificate })
    expect(decode(payload)).toMatchObject({
      attest: attestation,
      orig: { tn: '12125550199' },
      dest: { tn: ['442079460000'] },
      origid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(Math.abs(decode(payload).iat - Date.now() / 1000)).toBeLessThan(10)
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    const signed = Buffer.from(`${header}.${payload}`)
    expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(parameters).toBe(`;info=<${certificate}>;alg=ES256;ppt=shaken`)
  })

  test('no call without an attestation', async () => {
    const { world } = await openSigningWorld()
    await call(world).until('answered')
    expect(world.carriers[0]?.invitations()[0]).not.toMatch(/^Identity:/m)
  })
})
