export interface Mail {
  /** Idempotency key: a mail with a key that was already sent is not sent again. */
  readonly key: string
  readonly to: string
  /** Where an answer goes, if not to us. */
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The mail server knows no such address, or will never take anything for it. */
export class AddressRefused extends Error {
  /** What the server answered, such as `550`. Never its words: they may hold the address. */
  readonly code: string
  constructor(code: string) {
    super(`the mail server refuses the address (${code})`)
    this.name = 'AddressRefused'
    this.code = code
  }
}

/** Where mails leave the house. */
export interface Mailer {
  /**
   * @param signal when it is aborted, what is under way is cut off: nothing of it is sent any more that can be stopped
   * @throws AddressRefused; anything else means: try again later
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>
}
