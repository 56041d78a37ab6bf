const plain = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A user's name with the vendor: of letters and digits alone, which no rule for the names of clients forbids. */
export function identityOf(userId: string): string {
  return userId.replaceAll('-', '')
}

/** The user of such a name, also as tokens had it before; undefined for any other. */
export function userOf(identity: string): string | undefined {
  if (uuid.test(identity)) return identity
  return plain.exec(identity)?.slice(1).join('-')
}
