// Runs before first paint: selects the URL's amount (PD-33) in the served form, where the island later reads it.
import { linkedAmount } from '#lib/money/credit-amounts.ts'

const choice = linkedAmount(new URLSearchParams(location.search).get('amount'))
if (choice) {
  for (const radio of document.querySelectorAll<HTMLInputElement>('[name=preset]'))
    radio.checked = choice.kind === 'preset' && Number(radio.value) === choice.usd
  const custom = document.querySelector<HTMLInputElement>('[name=custom]')
  if (custom && choice.kind === 'custom') custom.value = choice.text
}
