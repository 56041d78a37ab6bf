import * as z from 'zod/mini'
import { commentTexts, type issueTexts } from './issue-texts.ts'

/** Probability of the prompt after a call (SPEC-9.14). */
export const promptProbability = 0.3
/** Duration of the thank-you (SPEC-9.14). */
export const thanksMs = 1500

/** 1 is poor, 5 is clear (SPEC-3.16). */
export const scores = [1, 2, 3, 4, 5] as const
export type Score = (typeof scores)[number]

/** In the order of the form (SPEC-3.16), with the keys of their texts. */
export const issues = {
  'audio-latency': 'delay',
  'choppy-audio': 'choppy',
  'dropped-call': 'dropped',
  echo: 'echo',
  'noisy-call': 'noisy',
  'one-way-audio': 'oneWay',
} as const satisfies Record<string, keyof typeof issueTexts>
export type Issue = keyof typeof issues

export const issueNames = Object.keys(issues) as readonly Issue[]

export const maxCommentLength = 1000

export const score = z.literal(scores)
export const issue = z.enum(issueNames)
export const comment = z.string().check(
  // Databases reject lone surrogates, as left by a cut through an emoji.
  z.overwrite<string>(text => text.toWellFormed()),
  z.trim(),
  z.maxLength(maxCommentLength, { error: () => commentTexts.tooLong({ max: String(maxCommentLength) }) }),
)

interface Caller {
  readonly hide: boolean
  readonly has_submitted_feedback: boolean
}

/** SPEC-4.24. */
export function mayBeAsked({ hide, has_submitted_feedback: submitted }: Caller): boolean {
  return hide && !submitted
}

/** Up to this score, the page asks what went wrong. */
export const poorScore: Score = 3
