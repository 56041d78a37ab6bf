import { latinDigits } from '#lib/numbers/dialable.ts'

/** A ref of number fields, which browsers let drop the digits of other scripts: they are typed as Latin ones. */
export function takeAnyDigits(input: HTMLInputElement | null): void {
  input?.addEventListener('beforeinput', event => {
    const typed = event.data ?? ''
    const latin = latinDigits(typed)
    if (latin === typed) return
    event.preventDefault()
    // The only way that fires the events of typing.
    document.execCommand('insertText', false, latin)
  })
}
