/** Opens the keypad in a call; takes the focus over from what went away above it. */
export const keypadButtonId = 'keypad-button'
