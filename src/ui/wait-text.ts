import { texts } from './form-texts.ts'

/** Seconds below 90, then whole minutes, rounded up. */
const isShort = (seconds: number) => seconds < 90
const minutesOf = (seconds: number) => Math.ceil(seconds / 60)

export function leftText(seconds: number): string {
  return isShort(seconds)
    ? texts.secondsLeft({ seconds })
    : texts.minutesLeft({ minutes: minutesOf(seconds) })
}

export function againText(seconds: number): string {
  return isShort(seconds)
    ? texts.againInSeconds({ seconds })
    : texts.againInMinutes({ minutes: minutesOf(seconds) })
}
