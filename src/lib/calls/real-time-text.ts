import * as z from 'zod/mini'

/** Pause between two sendings of typed characters (RFC 4103, section 5.2). */
export const textPauseMs = 300
/** Characters (Unicode code points) in one message; with the pause, 200 a second. */
export const maxCharactersAtOnce = 60
/** Characters that one side can type in a call, corrections included. */
export const maxCharactersTyped = 50_000

/** What one side may send through the server: what it types with some sent again, and bursts after a broken socket. */
export const textRelayLimits = {
  charactersPerSecond: 250,
  burst: 1_000,
  charactersPerCall: 4 * maxCharactersTyped,
} as const

const index = z.int().check(z.nonnegative(), z.lte(maxCharactersTyped))

/**
 * Between the two pages of a call. `typed`: T.140 characters, the first of them at index `from` of all that this side
 * typed. `received`: how many characters have come, in order; one with 0 says that the other page can show text.
 */
const realTimeText = z.union([
  z.strictObject({
    // A code point is two UTF-16 units at most.
    typed: z.string().check(z.minLength(1), z.maxLength(2 * maxCharactersAtOnce)),
    from: index,
  }),
  z.strictObject({ received: index }),
])

export type RealTimeText = z.output<typeof realTimeText>

/** Undefined for the content of any other message of a call. */
export function readRealTimeText(content: unknown): RealTimeText | undefined {
  const parsed = z.safeParse(realTimeText, content)
  return parsed.success ? parsed.data : undefined
}
