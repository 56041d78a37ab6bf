import type { Country } from '#lib/numbers/countries.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import type { NumberVerdict } from '#lib/numbers/phone.ts'

/** Delay after the page's load (SPEC-9.13). */
export const wizardDelayMs = 300
/** Min digits to leave the number step (SPEC-5.14). */
export const shortestTutorialNumber = 7
const longestTutorialNumber = 32

export const tutorialSteps = ['welcome', 'country', 'number', 'confirmation'] as const
export type TutorialStep = (typeof tutorialSteps)[number]

/** Result of the tutorial (SPEC-3.11). */
export interface TutorialResult {
  readonly country: Country
  /** Digits as typed, without the country code. */
  readonly phoneNumber: string
}

export interface Tutorial extends TutorialResult {
  readonly step: TutorialStep
}

export function stepNumber(step: TutorialStep): number {
  return tutorialSteps.indexOf(step) + 1
}

export function keepDigits(text: string): string {
  return keepDialable(text).replace('+', '').slice(0, longestTutorialNumber)
}

/** A number of the dialler's field as its country's local digits. */
export function localDigits(typed: string, { dialCode }: Country): string {
  return keepDigits(typed.startsWith(dialCode) ? typed.slice(dialCode.length) : typed)
}

export function mayGoOn({ step, phoneNumber }: Tutorial): boolean {
  return step !== 'number' || phoneNumber.length >= shortestTutorialNumber
}

export function stepAfter(tutorial: Tutorial): TutorialStep | undefined {
  return mayGoOn(tutorial) ? tutorialSteps[stepNumber(tutorial.step)] : undefined
}

export function stepBefore({ step }: Tutorial): TutorialStep | undefined {
  return tutorialSteps[stepNumber(step) - 2]
}

/** Grouped by the numbering plan, else leading zeros dropped and the dial code in front (SPEC-5.7). */
export function combinedNumber(
  { country, phoneNumber }: TutorialResult,
  verdict: NumberVerdict | null,
): string {
  if (verdict?.kind === 'ok') return verdict.formatted
  return `${country.dialCode} ${phoneNumber.replace(/^0+/, '')}`.trimEnd()
}
