import { texts } from './error-texts.ts'

/** A caller ID as it is verified (specification section 5): a plus, then 7 to 15 digits. */
export const callerIdShape: RegExp = /^\+\d{7,15}$/

export const invalidCallerIdMessage: string = texts.callerIds.invalid_number

/** Specification section 9: the list of verified numbers is asked for every 10 s, at most 9 times. */
export const verificationPollMs = 10_000
export const mostVerificationPolls = 9
