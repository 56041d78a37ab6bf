import type { Country } from './countries.ts'
import { keepDialable } from './dialable.ts'
import type { NumberVerdict } from './phone.ts'

/** Specification section 9. */
export const wizardDelayMs = 300
/** Specification section 5: the number step lets nobody on before so many digits. */
export const shortestTutorialNumber = 7
/** As much as the dialler's own field takes. */
const longestTutorialNumber = 32

export const tutorialSteps = ['welcome', 'country', 'number', 'confirmation'] as const
export type TutorialStep = (typeof tutorialSteps)[number]

/** What the tutorial leads to (specification section 3). */
export interface TutorialResult {
  readonly country: Country
  /** As typed, digits only, without the country's code. */
  readonly phoneNumber: string
}

export interface Tutorial extends TutorialResult {
  readonly step: TutorialStep
}

/** Which step it is, from 1. */
export function stepNumber(step: TutorialStep): number {
  return tutorialSteps.indexOf(step) + 1
}

/** The number step's field strips every non-digit; the digits of other scripts count as digits. */
export function keepDigits(text: string): string {
  return keepDialable(text).replace('+', '').slice(0, longestTutorialNumber)
}

/** Whether Next is enabled: the number needs its digits, the other steps have no condition. */
export function mayGoOn({ step, phoneNumber }: Tutorial): boolean {
  return step !== 'number' || phoneNumber.length >= shortestTutorialNumber
}

/** The step after this one; undefined on the last, and where `mayGoOn` says no. */
export function stepAfter(tutorial: Tutorial): TutorialStep | undefined {
  return mayGoOn(tutorial) ? tutorialSteps[stepNumber(tutorial.step)] : undefined
}

/** The step before this one; undefined on the first. */
export function stepBefore({ step }: Tutorial): TutorialStep | undefined {
  return tutorialSteps[stepNumber(step) - 2]
}

/**
 * The combined full number as it will be dialled, spaced for reading: by the numbering plan where it knows the
 * number, else by the specification's own rule, leading zeros dropped and the dial code before the rest.
 */
export function combinedNumber(
  { country, phoneNumber }: TutorialResult,
  verdict: NumberVerdict | null,
): string {
  if (verdict?.kind === 'ok') return verdict.formatted
  return `${country.dialCode} ${phoneNumber.replace(/^0+/, '')}`.trimEnd()
}
