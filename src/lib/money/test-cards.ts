import { passesLuhn } from './payment-card.ts'

/** What a test card does at the local checkout and in later off-session charges. */
export type CardBehaviour =
  | 'succeeds'
  | 'declines'
  | 'no_funds'
  /** Needs approval once; later charges need none. */
  | 'authenticates'
  | 'authenticates_always'
  | 'declines_later'
  | 'disputes'
  /** Succeeds, then is reported as fraud immediately. */
  | 'reported'
  | 'refunds_slowly'
  /** Refunds are accepted, then fail. */
  | 'refunds_fail'

interface TestCard {
  readonly digits: string
  readonly behaviour: CardBehaviour
  /** Ends the sentence 'Fill in a test card that …'. */
  readonly label: string
}

/** Same numbers as in the payment provider's test mode. */
export const testCards: readonly TestCard[] = [
  { digits: '4242424242424242', behaviour: 'succeeds', label: 'succeeds' },
  { digits: '4000000000000002', behaviour: 'declines', label: 'declines' },
  { digits: '4000002500003155', behaviour: 'authenticates', label: 'needs authentication' },
  { digits: '4000000000009995', behaviour: 'no_funds', label: 'has no funds' },
  { digits: '4000000000000341', behaviour: 'declines_later', label: 'declines later' },
  { digits: '4000002760003184', behaviour: 'authenticates_always', label: 'always needs authentication' },
  { digits: '4000000000000259', behaviour: 'disputes', label: 'is disputed' },
  { digits: '4000000000005423', behaviour: 'reported', label: 'is reported as fraud' },
  { digits: '4000000000007726', behaviour: 'refunds_slowly', label: 'refunds slowly' },
  { digits: '4000000000005126', behaviour: 'refunds_fail', label: 'fails refunds' },
]

/** More cards that succeed, for tests that need several different cards. */
const moreThatSucceed = ['5555555555554444', '378282246310005', '6011111111111117']
const succeeds = /^42424242\d{8}$/

/** Any valid number starting with 4242 4242 succeeds too. @returns undefined if it is not a test card */
export function testCardBehaviour(digits: string): CardBehaviour | undefined {
  const known = testCards.find(card => card.digits === digits)
  if (known !== undefined) return known.behaviour
  const works = moreThatSucceed.includes(digits) || (succeeds.test(digits) && passesLuhn(digits))
  return works ? 'succeeds' : undefined
}
