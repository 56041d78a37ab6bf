import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** A passkey in software that answers like a browser with its authenticator (WebAuthn Level 3, 6 and 7). */
export interface SoftwareAuthenticator {
  readonly credentialId: string
  /** The result of `navigator.credentials.create` as JSON. */
  create(options: { challenge?: unknown }): Record<string, unknown>
  /** The result of `navigator.credentials.get` as JSON. */
  get(options: { challenge?: unknown }): Record<string, unknown>
}

export interface Circumstances {
  readonly origin?: string
  readonly rpId?: string
  /** Whether it verified the user by fingerprint, face or PIN. */
  readonly userVerified?: boolean
  /** Its signature counter; default: none. */
  readonly counter?: () => number
}

const present = 0x01
const verified = 0x04
const attested = 0x40

export function createAuthenticator({
  origin = 'http://localhost:4321',
  rpId = 'localhost',
  userVerified = true,
  counter = () => 0,
}: Circumstances = {}): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const credentialId = id.toString('base64url')
  const head = (flags: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter())
    const all = present | flags | (userVerified ? verified : 0)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), count])
  }
  const clientData = (type: string, challenge: unknown) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = (response: Record<string, unknown>) => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    credentialId,
    create: ({ challenge }) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const authData = Buffer.concat([head(attested), Buffer.alloc(16), length, id, coseOf(publicKey)])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal', 'hybrid'],
      })
    },
    get: ({ challenge }) => {
      const client = clientData('webauthn.get', challenge)
      const authData = head(0)
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()])
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}

/** An ES256 key in COSE (RFC 9053, 2.1). */
function coseOf(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const cose = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  return isoCBOR.encode(cose as never)
}
