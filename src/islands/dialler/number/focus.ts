/** The field of the phone; another part of the page leads to it. */
export function focusNumberField(): void {
  document.querySelector<HTMLInputElement>('.address .number')?.focus()
}

/** Where the phone begins. Unlike the field it opens no keyboard on the screen. */
export function focusCountry(): void {
  document.querySelector<HTMLButtonElement>('.address .pick')?.focus({ preventScroll: true })
}
