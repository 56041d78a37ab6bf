import { maxUsd, minUsd } from './credits.ts'

/** Presets, and the one selected by default (SPEC-9.3). Whole US dollars. */
export const presetsUsd = [10, 25, 50, 100] as const
export const defaultUsd = 25

export type AmountChoice =
  | { readonly kind: 'preset'; readonly usd: number }
  | { readonly kind: 'custom'; readonly text: string }

export type AmountFault = 'negative' | 'too_much' | 'not_whole'

/** Fault of an amount while it is typed (SPEC-5.2), or null. 0 to 4 are accepted so far: they may become 12 or 400. */
export function customAmountFault(text: string): AmountFault | null {
  const usd = Number(text)
  if (usd < 0) return 'negative'
  if (usd > maxUsd) return 'too_much'
  return Number.isInteger(usd) ? null : 'not_whole'
}

export function chosenUsd(choice: AmountChoice): number | null {
  if (choice.kind === 'preset') return choice.usd
  return choice.text.trim() === '' ? null : Number(choice.text)
}

/** Whole US dollars from 5 to 4000. */
export function isPayable(usd: number | null): usd is number {
  return usd !== null && Number.isInteger(usd) && usd >= minUsd && usd <= maxUsd
}

/** The choice for a payable amount: a preset if there is one, else custom (PD-33). */
export function choiceOf(usd: number): AmountChoice {
  const isPreset = presetsUsd.some(preset => preset === usd)
  return isPreset ? { kind: 'preset', usd } : { kind: 'custom', text: String(usd) }
}

/** Reads the `?amount=` of a URL; null if absent or not payable. */
export function linkedAmount(text: string | null): AmountChoice | null {
  if (text === null || !/^\d+$/.test(text)) return null
  const usd = Number(text)
  return isPayable(usd) ? choiceOf(usd) : null
}
