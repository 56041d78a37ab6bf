import { type SubmitEvent, useState } from 'react'
import type { Spending } from '#lib/api/spending.ts'
import { formatCharge, usdToMicroUsd } from '#lib/rules/money.ts'
import { readCap } from '#lib/rules/spending.ts'
import { saveCaps } from '#stores/spending.ts'
import { focusFirstFault } from '../field/check.ts'
import { described, Field } from '../field/Field.tsx'
import { FormNote } from '../field/FormNote.tsx'
import { useRefusal } from '../field/use-refusal.ts'
import { SubmitButton } from '../submit-button/SubmitButton.tsx'
import { useBusy } from '../submit-button/useBusy.ts'
import { Outcome } from './Outcome.tsx'
import styles from './profile.module.css'
import { dayOf } from './wording.ts'

type Which = 'perCall' | 'perMonth'

const labels: Readonly<Record<Which, string>> = {
  perCall: 'Most for one call',
  perMonth: 'Most in a month',
}
const noFaults: Readonly<Record<Which, string | null>> = { perCall: null, perMonth: null }
const hintId = 'caps-hint'

const written = (usd: number | null) => (usd === null ? '' : usd.toFixed(2))

/** The caps on a call and on a month's calls. */
export function CapsForm({ spending }: { readonly spending: Spending }) {
  /** What is being typed; null where what is set is shown. */
  const [typed, setTyped] = useState<Readonly<Record<Which, string | null>>>({
    perCall: null,
    perMonth: null,
  })
  const [faults, setFaults] = useState(noFaults)
  const [outcome, setOutcome] = useState<string | null>(null)
  const refusal = useRefusal()
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
      refusal.clear()
      const sent = typed
      // What was not touched may have been set by another page meanwhile.
      const result = await saveCaps({
        ...(sent.perCall !== null && { perCall: perCall.usd }),
        ...(sent.perMonth !== null && { perMonth: perMonth.usd }),
      })
      if (result.ok) {
        // What was typed while the answer was on its way stays.
        setTyped(now => (now === sent ? { perCall: null, perMonth: null } : now))
        setOutcome('Saved.')
      } else refusal.refuse(result)
      return 'done'
    })
  }

  const input = (which: Which) => (
    <Field id={which} label={labels[which]} fault={faults[which]}>
      <div className="money">
        <span aria-hidden="true">$</span>
        <input
          className="input num"
          id={which}
          name={which}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          placeholder="No cap"
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
          {monthWords(spending)} Months begin at 00:00 UTC. A lower cap counts from your next call.
        </p>
        <FormNote message={refusal.message} waitSeconds={refusal.waitSeconds} />
        <div className={styles['done']}>
          <SubmitButton className="btn primary" label="Save caps" slowLabel="Saving…" slow={slow} />
          <Outcome message={outcome} />
        </div>
      </div>
    </form>
  )
}

/** What the month's calls came to so far, of what they may. */
function monthWords({ spentThisMonth, perMonth, monthEndsAt }: Spending): string {
  const charge = (usd: number) => formatCharge(usdToMicroUsd(usd))
  const of = perMonth === null ? '' : ` of ${charge(perMonth)}`
  return `Spent this month: ${charge(spentThisMonth)}${of}, until ${dayOf(new Date(monthEndsAt))}.`
}
