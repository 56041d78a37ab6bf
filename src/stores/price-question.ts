import { atom, type ReadableAtom } from 'nanostores'
import type { Callee } from '#lib/rules/call.ts'

/** A call to a dear range waits for this price to be accepted. */
export interface PriceQuestion {
  readonly callee: Callee
  readonly microUsdPerMinute: number
}

const $asked = atom<PriceQuestion | null>(null)
/** What the page asks just now. Written here alone. */
export const $priceQuestion: ReadableAtom<PriceQuestion | null> = $asked

let reply: (accepted: boolean) => void = () => undefined

/** Asks whether the price is accepted. A question that another takes the place of was not. */
export function confirmPrice(question: PriceQuestion): Promise<boolean> {
  reply(false)
  $asked.set(question)
  return new Promise(resolve => {
    reply = resolve
  })
}

/** Answers a question; one that was answered already stays answered. */
export function answerPrice(question: PriceQuestion, accepted: boolean): void {
  if (question !== $asked.get()) return
  reply(accepted)
  $asked.set(null)
}
