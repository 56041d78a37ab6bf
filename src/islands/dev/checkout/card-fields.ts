import {
  cardBrand,
  cardDigits,
  codeFault,
  expiryFault,
  formatCardNumber,
  formatExpiry,
  numberFault,
} from '#lib/money/payment-card.ts'
import { testCardBehaviour } from '#lib/money/test-cards.ts'

export interface Typed {
  readonly number: string
  readonly expiry: string
  readonly code: string
  readonly name: string
}

export type CardField = keyof Typed
export type Faults = Readonly<Record<CardField, string | null>>

export const nothingTyped: Typed = { number: '', expiry: '', code: '', name: '' }
export const noFaults: Faults = { number: null, expiry: null, code: null, name: null }

/** Formats typed, pasted or autofilled text for display. */
export function formatField(field: CardField, text: string): string {
  const digits = cardDigits(text)
  switch (field) {
    case 'number':
      return formatCardNumber(digits)
    case 'expiry':
      return formatExpiry(digits)
    case 'code':
      return digits.slice(0, 4)
    case 'name':
      return text
  }
}

/** The error of each field. Numbers of real cards are rejected here, before they leave the browser. */
export function faultsIn(typed: Typed, now = new Date()): Faults {
  const number = cardDigits(typed.number)
  const realCard =
    testCardBehaviour(number) === undefined ? 'Only test cards work here. Choose one above.' : null
  return {
    number: numberFault(number) ?? realCard,
    expiry: expiryFault(cardDigits(typed.expiry), now),
    code: codeFault(cardDigits(typed.code), cardBrand(number)),
    name: typed.name.trim() === '' ? 'Enter the name on the card.' : null,
  }
}

export function fillIn(digits: string, now = new Date()): Typed {
  const year = String(now.getFullYear() + 2).slice(-2)
  return { number: formatCardNumber(digits), expiry: `08 / ${year}`, code: '123', name: 'Anna Berg' }
}
