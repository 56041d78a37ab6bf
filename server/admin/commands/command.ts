import * as z from 'zod/mini'

export interface Typed {
  readonly args: readonly string[]
  readonly reason: string
  /** UUID of an earlier request to repeat. */
  readonly request: string | undefined
  readonly costs: string | undefined
  /** Its name in the trunk file. */
  readonly carrier: string | undefined
  readonly apply: boolean
  readonly as: string | undefined
  /** Also ends every session of the account. */
  readonly signOut: boolean
  /** Ends what the command would otherwise list. */
  readonly end: boolean
  /** The operating system's user. */
  readonly actor: string
}

export interface AdminRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** Idempotency key: the same request may be repeated and is done once. */
  readonly requestId?: string
  /** Completes the question when an answer is lost: 'whether it credited'. */
  readonly uncertainty: string
}

export interface Command {
  readonly name: string
  /** One line of the usage, after `npm run admin --`. */
  readonly synopsis: string
  readonly does: string
  /** @returns undefined to show the usage @throws StartError for a file that cannot be read */
  read(typed: Typed): AdminRequest | undefined
  /** Formats an answer's value for the operator. @throws if the value does not have the promised form */
  format(value: unknown, asked: AdminRequest): string
  readonly errorTexts: Readonly<Record<string, string>>
}

export const adminAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string() }),
])

/** USD with at most two decimals. */
export const usdPattern = /^\d{1,7}(\.\d{1,2})?$/

/** UTC, to the minute. */
export const minuteOf = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

export const unknownAccount = 'No account has that e-mail address.'
export const missingReason = 'Say why with --reason "...".'

export function onlyArgument({ args }: Typed): string | undefined {
  return args.length === 1 ? args[0] : undefined
}
