import { atom, type ReadableAtom } from 'nanostores'
import type { Callee } from '#voice/call.ts'

export interface PriceQuestion {
  readonly callee: Callee
  readonly microUsdPerMinute: number
}

const $asked = atom<PriceQuestion | null>(null)
export const $priceQuestion: ReadableAtom<PriceQuestion | null> = $asked

let reply: (accepted: boolean) => void = () => undefined

/** Asks whether the user accepts the price. A question replaced by another counts as declined. */
export function confirmPrice(question: PriceQuestion): Promise<boolean> {
  reply(false)
  $asked.set(question)
  return new Promise(resolve => {
    reply = resolve
  })
}

/** Answers a question; the first answer counts. */
export function answerPrice(question: PriceQuestion, accepted: boolean): void {
  if (question !== $asked.get()) return
  reply(accepted)
  $asked.set(null)
}
