/** Gmail ignores dots, and serves both domains. */
const gmail = new Set(['gmail.com', 'googlemail.com'])

/** Identifies mailboxes for counting people. Never send to it: other servers may treat `+suffix` as another mailbox. */
export function normaliseMailbox(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const whole = address.slice(0, Math.max(at, 0))
  const local = whole.replace(/(?<=.)\+.*$/, '')
  return gmail.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
