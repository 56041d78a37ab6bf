import type { TwilioSettings } from '../../config.ts'

/** The account's numbers that calls may show, the default first. */
export function publicNumbersOf({
  publicNumber,
  eeaNumber,
}: Pick<TwilioSettings, 'publicNumber' | 'eeaNumber'>): readonly string[] {
  return eeaNumber === undefined ? [publicNumber] : [publicNumber, eeaNumber]
}
