/** Max characters of a text alone in the dialler's status line: two lines of a small screen, three beside a button. */
export const statusLineMax = 80

/** The same beside a call's state, such as In Call. */
export const statusLineMaxInCall = 40
