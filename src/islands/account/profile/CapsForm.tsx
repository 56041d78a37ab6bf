import { type SubmitEvent, useState } from 'react'
import type { Spending } from '#lib/api/spending.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { readCap } from '#lib/money/spending.ts'
import { saveCaps } from '#shared/spending.ts'
import { focusFirstFault } from '#ui/check.ts'
import { described, Field } from '#ui/Field.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useFormError } from '#ui/use-form-error.ts'
import { limits } from './limit-texts.ts'
import { Outcome } from './Outcome.tsx'
import styles from './profile.module.css'
import { texts } from './texts.ts'
import { dayOf } from './wording.ts'

type Which = 'perCall' | 'perMonth'

const noFaults: Readonly<Record<Which, string | null>> = { perCall: null, perMonth: null }
const hintId = 'caps-hint'

const written = (usd: number | null) => (usd === null ? '' : usd.toFixed(2))

export function CapsForm({ spending }: { readonly spending: Spending }) {
  /** Input being typed; null while the saved value is shown. */
  const [typed, setTyped] = useState<Readonly<Record<Which, string | null>>>({
    perCall: null,
    perMonth: null,
  })
  const [faults, setFaults] = useState(noFaults)
  const [outcome, setOutcome] = useState<string | null>(null)
  const formError = useFormError()
  const { slow, run } = useBusy()
  const text = (which: Which) => typed[which] ?? written(spending[which])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const [perCall, perMonth] = [readCap(text('perCall')), readCap(text('perMonth'))]
    setOutcome(null)
    setFaults({ perCall: perCall.ok ? null : perCall.fault, perMonth: perMonth.ok ? null : perMonth.fault })
    if (!perCall.ok || !perMonth.ok) return focusFirstFault(form)
    run(async () => {
      formError.clear()
      const sent = typed
      // Send only changed fields: another page may have set the others meanwhile.
      const result = await saveCaps({
        ...(sent.perCall !== null && { perCall: perCall.usd }),
        ...(sent.perMonth !== null && { perMonth: perMonth.usd }),
      })
      if (result.ok) {
        // Keep what was typed while the request was pending.
        setTyped(now => (now === sent ? { perCall: null, perMonth: null } : now))
        setOutcome(texts.saved)
      } else formError.showError(result)
      return 'done'
    })
  }

  const input = (which: Which) => (
    <Field id={which} label={limits[which]} fault={faults[which]}>
      <div className="money" dir="ltr">
        <span aria-hidden="true">$</span>
        <input
          className="input num"
          id={which}
          name={which}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          placeholder={limits.none}
          value={text(which)}
          onChange={event => {
            setTyped({ ...typed, [which]: event.target.value })
            setFaults({ ...faults, [which]: null })
            setOutcome(null)
          }}
          {...described(which, undefined, faults[which])}
          {...(faults[which] === null && { 'aria-describedby': hintId })}
        />
      </div>
    </Field>
  )

  return (
    <form className="grid2" method="post" noValidate onSubmit={submit}>
      {input('perCall')}
      {input('perMonth')}
      <div className={styles['whole']}>
        <p className="small soft" id={hintId}>
          {monthText(spending)} {limits.aboutMonths}
        </p>
        <FormNote message={formError.message} waitSeconds={formError.waitSeconds} />
        <div className={styles['done']}>
          <SubmitButton className="btn primary" label={limits.save} slowLabel={texts.saving} slow={slow} />
          <Outcome message={outcome} />
        </div>
      </div>
    </form>
  )
}

function monthText({ spentThisMonth, perMonth, monthEndsAt }: Spending): string {
  const charge = (usd: number) => formatCharge(usdToMicroUsd(usd))
  const spent = charge(spentThisMonth)
  const date = dayOf(new Date(monthEndsAt))
  return perMonth === null
    ? limits.spent({ spent, date })
    : limits.spentOf({ spent, limit: charge(perMonth), date })
}
