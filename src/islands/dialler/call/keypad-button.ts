/** The button that opens the keypad in a call; it takes the focus of what is removed above it. */
export const keypadButtonId = 'keypad-button'
