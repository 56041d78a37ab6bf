import { leastUsd, mostUsd } from './credits.ts'

/** The amounts on offer, and the one that is chosen at first (specification section 9). Whole US dollars. */
export const presetsUsd = [10, 25, 50, 100] as const
export const defaultUsd = 25

/** What is to be bought: one of the amounts on offer, or one as it was typed, which may be none yet. */
export type AmountChoice =
  | { readonly kind: 'preset'; readonly usd: number }
  | { readonly kind: 'custom'; readonly text: string }

export type AmountFault = 'negative' | 'too_much' | 'not_whole'

/**
 * What is wrong with a custom amount while it is typed (specification section 5). 0 to 4 are fine so far: they may
 * become 12 or 400.
 * @returns null when nothing is
 */
export function customAmountFault(text: string): AmountFault | null {
  const usd = Number(text)
  if (usd < 0) return 'negative'
  if (usd > mostUsd) return 'too_much'
  return Number.isInteger(usd) ? null : 'not_whole'
}

/** US dollars that are chosen, not necessarily enough to be bought; null when nothing is. */
export function chosenUsd(choice: AmountChoice): number | null {
  if (choice.kind === 'preset') return choice.usd
  return choice.text.trim() === '' ? null : Number(choice.text)
}

/** Whether a payment may be this much: whole US dollars, 5 to 4000. */
export function isPayable(usd: number | null): usd is number {
  return usd !== null && Number.isInteger(usd) && usd >= leastUsd && usd <= mostUsd
}

/** The choice for an amount that can be paid: a preset where there is one, else a custom amount (decision 33). */
export function choiceOf(usd: number): AmountChoice {
  const isPreset = presetsUsd.some(preset => preset === usd)
  return isPreset ? { kind: 'preset', usd } : { kind: 'custom', text: String(usd) }
}

/**
 * The amount that an address asks for.
 * @param text of its `?amount=`; null where it has none
 * @returns null when that is none that can be paid
 */
export function linkedAmount(text: string | null): AmountChoice | null {
  if (text === null || !/^\d+$/.test(text)) return null
  const usd = Number(text)
  return isPayable(usd) ? choiceOf(usd) : null
}
