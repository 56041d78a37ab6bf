/** The field of the phone; another part of the page leads to it. */
export function focusNumberField(): void {
  document.querySelector<HTMLInputElement>('.address .number')?.focus()
}
