import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CallReceipt } from '#lib/api/calls.ts'
import type { Issue } from '#lib/calls/feedback.ts'
import { formatCharge, usdToMicroUsd } from '#lib/money/money.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { IssueChoice } from '#ui/IssueChoice.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { supportPath } from '../calls/call-receipt.ts'
import styles from './call-claim.module.css'
import { $claimDraft, beginClaim, chooseClaimIssue, claimBadCall, endClaim } from './call-claim.ts'
import { claimTexts } from './call-claim-texts.ts'

export interface ClaimCallProps {
  readonly receipt: CallReceipt
  /** Called after a goodwill credit: the receipt must be reloaded. */
  readonly onClaimed: () => void
}

/** Claims a goodwill credit for a bad call that was not credited automatically. The result appears in place. */
export function ClaimCall({ receipt, onClaimed }: ClaimCallProps) {
  const [claimed, setClaimed] = useState<number | null>(null)
  const draft = useStore($claimDraft)
  const said = useRef<HTMLParagraphElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { call, claim, credit } = receipt
  const asking = draft?.callId === call.id
  // Close the form if the call is credited automatically meanwhile.
  const superseded = asking && claimed === null && credit !== null
  useEffect(() => {
    if (claimed !== null || superseded) said.current?.focus()
  }, [claimed, superseded])
  if (claimed !== null || superseded)
    return (
      <p ref={said} className={`small ${styles['said']}`} role="status" tabIndex={-1}>
        {claimed === null
          ? claimTexts.alreadyRefunded
          : claimTexts.refunded({ amount: formatCharge(claimed) })}
      </p>
    )
  if (credit !== null || claim === null) return null
  if (claim.usedUp)
    return <p className="small soft noprint">{claimTexts.usedUp({ write: linkToSupport(call.id) })}</p>
  return asking ? (
    <Form
      callId={call.id}
      issue={draft.issue}
      amountUsd={claim.amount}
      isPart={claim.amount < call.cost}
      onCancel={() => {
        flushSync(endClaim)
        opener.current?.focus()
      }}
      onCredited={onClaimed}
      onClaimed={microUsd => {
        setClaimed(microUsd)
        endClaim()
        onClaimed()
      }}
    />
  ) : (
    <p className="small noprint">
      <button
        ref={opener}
        type="button"
        className={`more ${styles['bad']}`}
        onClick={() => beginClaim(call.id)}
      >
        {claimTexts.badCall}
      </button>
    </p>
  )
}

const linkToSupport = (callId: string) => (label: string) => (
  <a key="write" href={supportPath(callId)}>
    {label}
  </a>
)

interface FormProps {
  readonly callId: string
  readonly issue: Issue | null
  readonly amountUsd: number
  /** True when the credit is less than the call's cost. */
  readonly isPart: boolean
  readonly onCancel: () => void
  /** The call was credited automatically meanwhile. */
  readonly onCredited: () => void
  readonly onClaimed: (microUsd: number) => void
}

function Form({ callId, issue, amountUsd, isPart, onCancel, onCredited, onClaimed }: FormProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [refused, setRefused] = useState(false)
  const { slow, run } = useBusy()
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    group.current?.querySelector('input')?.focus({ preventScroll: true })
    group.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [])
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (issue === null) return
    setFailure(null)
    run(async () => {
      const claiming = await claimBadCall(callId, issue)
      if (claiming.kind === 'credited') onClaimed(claiming.microUsd)
      else setFailure(claiming.message)
      setRefused(claiming.kind === 'refused')
      if (claiming.kind === 'refused' && claiming.credited) onCredited()
      return 'done'
    })
  }
  return (
    <form className={`noprint ${styles['claim']}`} onSubmit={send}>
      <IssueChoice
        ref={group}
        className={styles['issues']}
        chosen={issue}
        onChoose={chosen => chooseClaimIssue(callId, chosen)}
      />
      {isPart && (
        <p className="small soft">
          {claimTexts.part({
            amount: formatCharge(usdToMicroUsd(amountUsd)),
            write: linkToSupport(callId),
          })}
        </p>
      )}
      <FormNote message={failure} />
      {refused && (
        <p className="small">
          <a href={supportPath(callId)}>{claimTexts.write}</a>
        </p>
      )}
      <div className={styles['buttons']}>
        <button type="button" className="btn" onClick={onCancel}>
          {claimTexts.cancel}
        </button>
        <button type="submit" className="btn primary" disabled={issue === null}>
          {slow
            ? claimTexts.refunding
            : claimTexts.refund({ amount: formatCharge(usdToMicroUsd(amountUsd)) })}
        </button>
      </div>
    </form>
  )
}
