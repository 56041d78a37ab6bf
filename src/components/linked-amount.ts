/**
 * Before first paint: the amount that the page's address asks for (decision 33), chosen in the form that was served.
 * The island finds it there, as it finds what the visitor has entered by then.
 */
import { linkedAmount } from '#lib/rules/credit-amounts.ts'

const choice = linkedAmount(new URLSearchParams(location.search).get('amount'))
if (choice) {
  for (const radio of document.querySelectorAll<HTMLInputElement>('[name=preset]'))
    radio.checked = choice.kind === 'preset' && Number(radio.value) === choice.usd
  const custom = document.querySelector<HTMLInputElement>('[name=custom]')
  if (custom && choice.kind === 'custom') custom.value = choice.text
}
