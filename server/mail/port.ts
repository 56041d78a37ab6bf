export interface Mail {
  /** Idempotency key: an e-mail with a key that was already sent is not sent again. */
  readonly key: string
  readonly to: string
  /** Address for replies, if not ours. */
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The mail server rejected the address permanently. */
export class AddressRefused extends Error {
  /** The server's reply code, such as `550`. Never its text, which may hold the address. */
  readonly code: string
  constructor(code: string) {
    super(`the mail server refuses the address (${code})`)
    this.name = 'AddressRefused'
    this.code = code
  }
}

/** A mail server may take 10 minutes to reply (RFC 5321, section 4.5.3.2.6). Giving up earlier sends copies. */
export const replyTimeoutMs = 600_000

export interface Delivery {
  /** Cancels the delivery, unless the mail server already has the whole e-mail. */
  readonly signal?: AbortSignal
  /** The mail server has the whole e-mail and only its reply is missing: sent again, it may arrive twice. */
  readonly onHandedOver?: () => void
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the e-mail, or probably has: it has all of it but did not reply in time, or
   * the signal was aborted meanwhile.
   * @throws AddressRefused; on any other error retry later
   */
  send(mail: Mail, delivery?: Delivery): Promise<void>
  /** How many more e-mails it would send at once; undefined: no limit. */
  free?(): number
}
