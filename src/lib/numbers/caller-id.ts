/** A plus and 7 to 15 digits (SPEC-5.11). */
export const callerIdShape: RegExp = /^\+\d{7,15}$/

/** Polls the verified numbers every 10 s, at most 9 times (SPEC-9.15). */
export const verificationPollMs = 10_000
export const maxVerificationPolls = 9
