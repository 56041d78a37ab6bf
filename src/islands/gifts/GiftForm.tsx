import { useStore } from '@nanostores/react'
import { Lock } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { company } from '#lib/company.ts'
import { formatCount } from '#lib/count.ts'
import { estimatedMinutes } from '#lib/money/credits.ts'
import {
  giftPresetsUsd,
  isGiftAmount,
  longestGiftMessage,
  longestGiftName,
  maxGiftUsd,
  minGiftUsd,
} from '#lib/money/gifts.ts'
import { PresetStamp } from '#shared/checkout/PresetStamp.tsx'
import { focusFirstFault } from '#ui/check.ts'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { faultIn, faultsIn, type GiftField, noFaults, sendGift } from './checkout.ts'
import { $draft, changeDraft } from './draft.ts'
import { Envelope } from './Envelope.tsx'
import styles from './gift-form.module.css'
import { TextField } from './TextField.tsx'
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
  const left = longestGiftMessage - [...draft.message].length

  return (
    <div className={`split2 ${styles['page']}`}>
      <form className={`till ${styles['form']}`} method="post" noValidate onSubmit={submit}>
        <Presets amount={draft.amount} onChoose={value => change('amount', value)} />
        <Field
          id="gift-amount"
          label="Another amount"
          hint={`Whole US dollars, ${minGiftUsd} to ${maxGiftUsd}`}
          fault={faults.amount}
        >
          <div className="money">
            <span aria-hidden="true">$</span>
            <input
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
          <TextField {...text('toName')} id="gift-to" label="For" hint="As on the envelope: Mum">
            {input => <input {...input} autoComplete="off" maxLength={longestGiftName} required />}
          </TextField>
          <TextField {...text('fromName')} id="gift-from" label="From" hint="Your name">
            {input => <input {...input} autoComplete="given-name" maxLength={longestGiftName} required />}
          </TextField>
        </div>
        <TextField
          {...text('message')}
          id="gift-message"
          label="A line from you, if you like"
          hint={
            left < 50
              ? `${left} ${left === 1 ? 'character' : 'characters'} left`
              : `Up to ${longestGiftMessage} characters`
          }
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
        <TextField
          {...text('recipientEmail')}
          id="gift-email"
          label="Their e-mail address, if you'd like us to send it"
          hint="Leave it empty to print the envelope or send its link yourself."
        >
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
          label="Secure Checkout"
          slowLabel="Opening the checkout…"
          slow={slow}
          icon={<Lock className="i" aria-hidden="true" />}
        />
        <p className="small soft">
          You pay {usd === null ? 'the amount you choose' : dollars(usd)}, once. Your bank may ask you to
          approve it. You enter your card on our payment provider’s page; {company.name} never sees the
          number. Until the booklet is redeemed, you can have <a href="/refunds">your money back</a>.
        </p>
      </form>
      <aside className={styles['preview']} aria-label="Your envelope">
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
      <legend className="sr">Amount</legend>
      {giftPresetsUsd.map(usd => (
        <PresetStamp
          key={usd}
          usd={usd}
          chosen={amount === String(usd)}
          onChoose={() => onChoose(String(usd))}
        >
          <b className="num">{`$${usd}`}</b>
          <small className="num">{`${formatCount(estimatedMinutes(usd))} minutes`}</small>
        </PresetStamp>
      ))}
    </fieldset>
  )
}
