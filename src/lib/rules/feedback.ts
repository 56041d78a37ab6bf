import * as z from 'zod/mini'

/** Specification section 9: how likely the prompt is after a call. */
export const promptProbability = 0.3
/** Specification section 9: how long the thank-you stands. */
export const thanksMs = 1500

/** From 1, poor, to 5, clear (specification section 3). */
export const scores = [1, 2, 3, 4, 5] as const
export type Score = (typeof scores)[number]

/** What can have gone wrong, in the order of the form (specification section 3). */
export const issues = {
  'audio-latency': 'Audio delay',
  'choppy-audio': 'Choppy audio',
  'dropped-call': 'Dropped call',
  echo: 'Echo',
  'noisy-call': 'Noisy call',
  'one-way-audio': 'One-way audio',
} as const
export type Issue = keyof typeof issues

export const issueNames = Object.keys(issues) as readonly Issue[]

export const maxCommentLength = 1000

export const score = z.literal(scores)
export const issue = z.enum(issueNames)
export const comment = z.string().check(
  // Half a character, as a cut through a smiley leaves it, is no text: a database refuses it.
  z.overwrite<string>(text => text.toWellFormed()),
  z.trim(),
  z.maxLength(maxCommentLength, `Use at most ${maxCommentLength} characters.`),
)

interface Caller {
  readonly hide: boolean
  readonly has_submitted_feedback: boolean
}

/** Whether somebody may be asked how their call was (specification section 4). */
export function mayBeAsked({ hide, has_submitted_feedback: submitted }: Caller): boolean {
  return hide && !submitted
}
