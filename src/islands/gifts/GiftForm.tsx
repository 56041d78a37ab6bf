import { useStore } from '@nanostores/react'
import { Lock } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { estimatedMinutes } from '#lib/money/credits.ts'
import { faceAmount } from '#lib/money/face-value.ts'
import {
  giftPresetsUsd,
  isGiftAmount,
  longestGiftMessage,
  longestGiftName,
  maxGiftUsd,
  minGiftUsd,
} from '#lib/money/gifts.ts'
import { PresetStamp } from '#shared/checkout/PresetStamp.tsx'
import { checkout } from '#shared/checkout/texts.ts'
import { focusFirstFault } from '#ui/check.ts'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { takeAnyDigits } from '#ui/take-any-digits.ts'
import { useBusy } from '#ui/use-busy.ts'
import { faultIn, faultsIn, type GiftField, noFaults, sendGift } from './checkout.ts'
import { $draft, changeDraft } from './draft.ts'
import { Envelope } from './Envelope.tsx'
import styles from './gift-form.module.css'
import { TextField } from './TextField.tsx'
import { texts } from './texts.ts'
import { dollars } from './wording.ts'

export function GiftForm() {
  const draft = useStore($draft)
  const [faults, setFaults] = useState(noFaults)
  const [failure, setFailure] = useState<string | null>(null)
  const { slow, run } = useBusy()
  const usd = isGiftAmount(Number(draft.amount)) && draft.amount !== '' ? Number(draft.amount) : null

  const change = (field: GiftField, value: string) => {
    changeDraft({ [field]: value })
    if (faults[field] !== null) setFaults(now => ({ ...now, [field]: faultIn(field, value) }))
  }
  const text = (field: Exclude<GiftField, 'amount'>) => ({
    name: field,
    value: draft[field],
    fault: faults[field],
    onChange: (value: string) => change(field, value),
    onLeave: (value: string) => {
      if (value !== '') setFaults(now => ({ ...now, [field]: faultIn(field, value) }))
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = faultsIn($draft.get())
    setFaults(found)
    setFailure(null)
    if (Object.values(found).some(fault => fault !== null)) return focusFirstFault(form)
    run(async () => {
      const sent = await sendGift($draft.get())
      if (sent.kind === 'leaving') return 'keep'
      if (sent.kind === 'failed') setFailure(sent.message)
      else {
        setFaults(sent.faults)
        focusFirstFault(form)
      }
      return 'done'
    })
  }
  const values = {
    company: company.name,
    refunds: (label: string) => (
      <a key="refunds" href={localPath('/refunds')}>
        {label}
      </a>
    ),
  }
  const left = longestGiftMessage - [...draft.message].length

  return (
    <div className={`split2 ${styles['page']}`}>
      <form className={`till ${styles['form']}`} method="post" noValidate onSubmit={submit}>
        <Presets amount={draft.amount} onChoose={value => change('amount', value)} />
        <Field
          id="gift-amount"
          label={texts.otherAmount}
          hint={texts.amountHint({ min: String(minGiftUsd), max: String(maxGiftUsd) })}
          fault={faults.amount}
        >
          <div className="money">
            <span aria-hidden="true">$</span>
            <input
              ref={takeAnyDigits}
              className="input num"
              id="gift-amount"
              name="amount"
              type="number"
              inputMode="numeric"
              min={minGiftUsd}
              max={maxGiftUsd}
              step={1}
              autoComplete="off"
              value={isPreset(draft.amount) ? '' : draft.amount}
              onChange={event => change('amount', event.currentTarget.value)}
              {...described('gift-amount', `${minGiftUsd}`, faults.amount)}
            />
          </div>
        </Field>
        <div className="grid2">
          <TextField {...text('toName')} id="gift-to" label={texts.to} hint={texts.toHint}>
            {input => <input {...input} autoComplete="off" maxLength={longestGiftName} required />}
          </TextField>
          <TextField {...text('fromName')} id="gift-from" label={texts.from} hint={texts.fromHint}>
            {input => <input {...input} autoComplete="given-name" maxLength={longestGiftName} required />}
          </TextField>
        </div>
        <TextField
          {...text('message')}
          id="gift-message"
          label={texts.message}
          hint={left < 50 ? texts.charactersLeft({ left }) : texts.upTo({ max: longestGiftMessage })}
        >
          {input => (
            <textarea
              {...input}
              className={`input ruled ${styles['ruled']}`}
              rows={3}
              maxLength={longestGiftMessage}
            />
          )}
        </TextField>
        <TextField {...text('recipientEmail')} id="gift-email" label={texts.email} hint={texts.emailHint}>
          {input => (
            <input
              {...input}
              type="email"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </TextField>
        <FormNote message={failure} />
        <SubmitButton
          label={checkout.secure}
          slowLabel={checkout.opening}
          slow={slow}
          icon={<Lock className="i" aria-hidden="true" />}
        />
        <p className="small soft">
          {usd === null ? texts.payChosen(values) : texts.pay({ ...values, amount: dollars(usd) })}
        </p>
      </form>
      <aside className={styles['preview']} aria-label={texts.preview}>
        <Envelope toName={draft.toName} fromName={draft.fromName} message={draft.message} usd={usd} />
      </aside>
    </div>
  )
}

function isPreset(amount: string): boolean {
  return giftPresetsUsd.some(usd => String(usd) === amount)
}

function Presets({
  amount,
  onChoose,
}: {
  readonly amount: string
  readonly onChoose: (value: string) => void
}) {
  return (
    <fieldset className={`denoms ${styles['denoms']}`}>
      <legend className="sr">{checkout.amount}</legend>
      {giftPresetsUsd.map(usd => (
        <PresetStamp
          key={usd}
          usd={usd}
          chosen={amount === String(usd)}
          onChoose={() => onChoose(String(usd))}
        >
          <b className="num">{faceAmount(usd)}</b>
          <small className="num">{texts.minutes({ minutes: estimatedMinutes(usd) })}</small>
        </PresetStamp>
      ))}
    </fieldset>
  )
}
