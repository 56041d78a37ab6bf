import { passesLuhn } from './payment-card.ts'

/** What a card does at the local checkout, and later when it is charged while its owner is away. */
export type CardBehaviour =
  | 'succeeds'
  | 'declines'
  | 'no_funds'
  /** Approved once, it is charged later without being asked. */
  | 'authenticates'
  | 'authenticates_always'
  /** Works now, is declined later. */
  | 'declines_later'
  /** Works, and its owner disputes the payment at once. */
  | 'disputes'
  /** Its refunds begin as pending. */
  | 'refunds_slowly'
  /** Its refunds are answered as done, and fail. */
  | 'refunds_fail'

interface TestCard {
  readonly digits: string
  readonly behaviour: CardBehaviour
  /** Ends the sentence 'Fill in a test card that …'. */
  readonly label: string
}

/** The numbers that the production provider's test mode has for the same. */
export const testCards: readonly TestCard[] = [
  { digits: '4242424242424242', behaviour: 'succeeds', label: 'succeeds' },
  { digits: '4000000000000002', behaviour: 'declines', label: 'declines' },
  { digits: '4000002500003155', behaviour: 'authenticates', label: 'needs authentication' },
  { digits: '4000000000009995', behaviour: 'no_funds', label: 'has no funds' },
  { digits: '4000000000000341', behaviour: 'declines_later', label: 'declines later' },
  { digits: '4000002760003184', behaviour: 'authenticates_always', label: 'always needs authentication' },
  { digits: '4000000000000259', behaviour: 'disputes', label: 'is disputed' },
  { digits: '4000000000007726', behaviour: 'refunds_slowly', label: 'refunds slowly' },
  { digits: '4000000000005126', behaviour: 'refunds_fail', label: 'fails refunds' },
]

/** Other cards that work: two people, or one with two cards, are told apart by the card. */
const moreThatSucceed = ['5555555555554444', '378282246310005', '6011111111111117']
const succeeds = /^42424242\d{8}$/

/**
 * What a card does. Every valid number that begins with 4242 4242 works, too.
 * @returns undefined for what is no test card: nothing is to be done with it
 */
export function testCardBehaviour(digits: string): CardBehaviour | undefined {
  const known = testCards.find(card => card.digits === digits)
  if (known !== undefined) return known.behaviour
  const works = moreThatSucceed.includes(digits) || (succeeds.test(digits) && passesLuhn(digits))
  return works ? 'succeeds' : undefined
}
