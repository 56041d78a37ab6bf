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

/** Where mails leave the house. A throw means: try again later. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}
