import { uuidPattern } from '#lib/uuid.ts'

const plain = '([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})'
const both = new RegExp(`^${plain}(?:${plain})?$`)

export interface Identified {
  readonly userId: string
  /** Undefined if the token named none. */
  readonly sessionId: string | undefined
}

/** Only letters and digits, 64 of at most 121. The vendor vouches for it, not for call parameters from the page. */
export function identityOf(userId: string, sessionId?: string): string {
  return `${userId}${sessionId ?? ''}`.replaceAll('-', '')
}

/** Parses an identity, in the older format too; undefined for any other text. */
export function identified(identity: string): Identified | undefined {
  if (uuidPattern.test(identity)) return { userId: identity, sessionId: undefined }
  const parts = both.exec(identity)?.slice(1)
  if (parts === undefined) return undefined
  const [user, session] = [parts.slice(0, 5), parts.slice(5)]
  return { userId: user.join('-'), sessionId: session[0] === undefined ? undefined : session.join('-') }
}
