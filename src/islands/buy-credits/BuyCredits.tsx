import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { type AmountChoice, chosenUsd, defaultUsd, presetsUsd } from '#lib/money/credit-amounts.ts'
import { faceAmount } from '#lib/money/face-value.ts'
import { AutoTopUp } from '#shared/auto-top-up/AutoTopUp.tsx'
import { followAutoTopUp, setAutoTopUp } from '#shared/auto-top-up/auto-top-up.ts'
import { PresetStamp } from '#shared/checkout/PresetStamp.tsx'
import { checkout } from '#shared/checkout/texts.ts'
import { watchReferral } from '#shared/referral-code.ts'
import { CheckoutButton } from './CheckoutButton.tsx'
import { CustomAmount } from './CustomAmount.tsx'
import { $checkout, checkOut, choosePreset, openCheckout } from './checkout.ts'
import { Summary } from './Summary.tsx'
import { freeMinutesText, presetMinutesText } from './wording.ts'

interface BuyCreditsProps {
  /** Name of the global in which the referral script stores its value. */
  readonly referralValue: string
}

/** Values entered before hydration, which the browser keeps in the fields. */
function enteredIn(form: HTMLFormElement): AmountChoice {
  const fields = new FormData(form)
  const text = fields.get('custom')
  if (typeof text === 'string' && text !== '') return { kind: 'custom', text }
  return { kind: 'preset', usd: Number(fields.get('preset') ?? defaultUsd) }
}

/** Rendered on the server with its default amount. Payment is on the provider's page (SPEC-2.32). */
export function BuyCredits({ referralValue }: BuyCreditsProps) {
  const form = useRef<HTMLFormElement>(null)
  const { choice, phase, refused } = useStore($checkout, { ssr: 'initial' })
  const usd = chosenUsd(choice)

  useLayoutEffect(() => {
    if (form.current === null) return
    const { elements } = form.current
    const early = elements.namedItem('autoTopUp') as HTMLInputElement
    const stops = [openCheckout(enteredIn(form.current)), followAutoTopUp()]
    if (early.checked) void setAutoTopUp(true)
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  // Before the effect of the button, which may submit at once.
  useLayoutEffect(() => watchReferral(referralValue), [referralValue])
  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refused])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void checkOut()
  }

  return (
    // No autocomplete: browsers restore fields after a reload, and auto top-up must be switched on deliberately.
    <form ref={form} method="post" noValidate autoComplete="off" onSubmit={submit}>
      <Presets chosen={choice.kind === 'preset' ? choice.usd : null} />
      <CustomAmount text={choice.kind === 'custom' ? choice.text : ''} refused={refused} />
      <AutoTopUp usd={usd} />
      <Summary usd={usd} />
      <CheckoutButton
        opening={phase === 'opening'}
        disabled={phase === 'opening' || usd === null}
        usd={usd}
      />
    </form>
  )
}

/** Preset amounts, drawn as a sheet of stamps. @param chosen US dollars; null with a custom amount */
function Presets({ chosen }: { readonly chosen: number | null }) {
  return (
    <fieldset className="denoms">
      <legend className="sr">{checkout.amount}</legend>
      {presetsUsd.map(usd => (
        <PresetStamp key={usd} usd={usd} chosen={usd === chosen} onChoose={() => choosePreset(usd)}>
          <b className="num">{faceAmount(usd)}</b>
          <small className="num">{presetMinutesText(usd)}</small>
          <em>{freeMinutesText(usd)}</em>
        </PresetStamp>
      ))}
    </fieldset>
  )
}
