import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { type Certificate, makeCertificate } from '#support/certificate.ts'
import { startCarrier } from '#support/trunk/carrier.ts'
import { type EdgeOptions, moduleIsMissing, trunkIsMissing } from '#support/trunk/edge.ts'
import type { Behaviour } from '#support/trunk/scenarios.ts'
import { call, closeAfterwards, openTcpWorld, openWorld } from '#support/trunk/world.ts'

function certify(): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'farline-certificate-'))
  closeAfterwards(async () => rmSync(directory, { recursive: true }))
  const made = makeCertificate(directory)
  if (made === undefined) throw new Error('openssl is not installed')
  return made
}

const password = 's3cret;pass'
const asksPassword: Behaviour = { kind: 'asks_password', user: 'farline', password }

/** A carrier over TLS as set 1, whose certificate is for `localhost`, and an edge that believes what `tls` says. */
async function openTlsWorld(tls: Partial<EdgeOptions['tls']> = {}) {
  const certificate = certify()
  const carrier = await startCarrier(asksPassword, { tls: certificate })
  closeAfterwards(carrier.close)
  const hexadecimal = Buffer.from(password).toString('hex')
  const world = await openWorld([], '', {
    carriers: [carrier.line(1, `user=farline;password=${hexadecimal}`)],
    tls: { own: certify(), authority: certificate.certificate, names: 'localhost', ...tls },
  })
  return { world, carrier }
}

describe.skipIf(trunkIsMissing() || moduleIsMissing('tls'))('an edge and how it reaches carriers', () => {
  test('places a call over TLS, with a password', async () => {
    const { world, carrier } = await openTlsWorld()
    const { leg, until } = call(world)
    await until('answered')
    leg.hangUp()
    await vi.waitFor(() => expect(carrier.count('BYE')).toBe(1), { timeout: 5000 })
    expect(carrier.invitations()[0]).toMatch(/^Via: SIP\/2\.0\/TLS/m)
  })

  test('places a call over TCP, from the address where carriers reach it', async () => {
    const { world, carrier, from } = await openTcpWorld({ kind: 'answers' })
    const { leg, until } = call(world)
    await until('answered')
    expect(carrier.invitations()[0]).toContain(`Via: SIP/2.0/TCP ${from};`)
    expect(carrier.invitations()[0]).toContain(`Record-Route: <sip:${from};transport=tcp`)
    leg.hangUp()
    await vi.waitFor(() => expect(carrier.count('BYE')).toBe(1), { timeout: 5000 })
  })

  test('places no call where an unknown authority signed the certificate', async () => {
    const { world, carrier } = await openTlsWorld({ authority: certify().certificate })
    expect(await call(world).until('rejected', 10_000)).toMatchObject({ edge: 'timeout' })
    expect(carrier.invitations()).toEqual([])
  })

  test('ends a call, and shows no password, where the certificate is somebody else’s', async () => {
    const { world, carrier } = await openTlsWorld({ names: 'sip[.]carrier[.]example' })
    expect(await call(world).until('rejected', 10_000)).toMatchObject({ edge: 'timeout' })
    expect(carrier.invitations().filter(message => message.includes('Authorization'))).toEqual([])
    expect(world.edge.log()).toContain('which is not in EDGE_TLS_NAMES')
  })
})
