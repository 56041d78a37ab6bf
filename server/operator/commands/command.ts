import * as z from 'zod/mini'

/** What was typed after `npm run admin --`, without the command's name. */
export interface Typed {
  readonly words: readonly string[]
  readonly reason: string
  /** Repeats an earlier request, a UUID. */
  readonly request: string | undefined
  readonly costs: string | undefined
  readonly apply: boolean
  /** Whom a link is for. */
  readonly as: string | undefined
  /** Ends what is listed without it. */
  readonly end: boolean
  /** The operating system's user. */
  readonly actor: string
}

/** What the server is asked through the operator's door. */
export interface DoorRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** With it, the same request may be made again and is done once. */
  readonly requestId?: string
  /** What is asked when an answer is lost: 'whether it credited'. */
  readonly doubt: string
}

export interface Command {
  readonly name: string
  /** One line of the usage, after `npm run admin --`. */
  readonly synopsis: string
  readonly does: string
  /**
   * @returns undefined where the usage is to be shown
   * @throws StartError for a file that cannot be read
   */
  read(typed: Typed): DoorRequest | undefined
  /** What the operator reads, of an answer's value. Throws where the value is not what is promised. */
  tell(value: unknown, asked: DoorRequest): string
  /** What the operator reads when it was refused, by the answer's code. */
  readonly refusals: Readonly<Record<string, string>>
}

/** An answer of the door's. */
export const doorAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string() }),
])

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** USD to the cent. */
export const usdPattern = /^\d{1,7}(\.\d{1,2})?$/

export const unknownAccount = 'No account has that e-mail address.'
export const missingReason = 'Say why with --reason "...".'

/** Reads the one e-mail address that a command takes. */
export function onlyWord({ words }: Typed): string | undefined {
  return words.length === 1 ? words[0] : undefined
}
