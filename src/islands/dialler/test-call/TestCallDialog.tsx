import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { formatCharge } from '#lib/money/money.ts'
import { defaultFreeCallTerms } from '#lib/money/pricing.ts'
import { $callFrom } from '#shared/caller-ids/caller-ids.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { useLate } from '#ui/use-late.ts'
import styles from '../caller-id/caller-id.module.css'
import { $nextTestCall, loadNextTestCall, placeTestCall, type TestPlacing } from './test-call.ts'

export interface TestCallDialogProps {
  /** E.164, verified. */
  readonly number: string
  readonly onClose: () => void
}

const maxRate = formatCharge(defaultFreeCallTerms.worthMicroUsd)

const whenFormat = dateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

const notPlaced: Readonly<Record<Exclude<TestPlacing, 'placed'>, string>> = {
  not_loaded: "Something didn't load. Try again.",
  in_call: "You're already in a call. Hang up first, then try again.",
}

/** Says which phone will ring and what it will show, because one of the user's own phones rings. */
export function TestCallDialog({ number, onClose }: TestCallDialogProps) {
  const { format } = useStore($formatNumber)
  const shown = useStore($callFrom)
  const next = useStore($nextTestCall)
  const [failure, setFailure] = useState<string | null>(null)
  const { slow, run } = useBusy()
  const loading = next.state === 'loading'
  const asking = useLate(loading)
  useEffect(() => {
    void loadNextTestCall()
  }, [])
  const used = next.state === 'ready' ? next.value : null

  const call = async (): Promise<'done'> => {
    setFailure(null)
    const placing = await placeTestCall(number)
    if (placing === 'placed') onClose()
    else setFailure(notPlaced[placing])
    return 'done'
  }
  // One button for all states, so that it keeps the focus.
  const [label, press] =
    next.state === 'failed'
      ? ['Try again', () => void loadNextTestCall()]
      : [slow ? 'Calling…' : asking ? 'Checking…' : 'Call my number', () => run(call)]

  return (
    <Dialog
      title="Call my number"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {used === null ? 'Not now' : 'Close'}
          </button>
          {used === null && (
            <button
              type="button"
              className="btn primary"
              aria-disabled={loading || undefined}
              onClick={loading ? undefined : press}
            >
              {label}
            </button>
          )}
        </>
      }
    >
      <div className={styles.step}>
        <p className="bignum num">{format(number, '')}</p>
        <p>
          {shown === null ? (
            'It will ring and show our public number, as your calls do now.'
          ) : (
            <>
              It rings and shows what your calls do now: <span className="num">{format(shown, '')}</span>.
            </>
          )}
        </p>
        {shown === number && (
          <p className="small soft">If a number calls itself, some networks send it to voicemail.</p>
        )}
        <p className="small soft" role="status">
          {used === null
            ? `Free once a week, for up to a minute, to numbers up to ${maxRate} a minute.`
            : `You've used this week's test call. The next one is free from ${whenFormat(used)}.`}
        </p>
      </div>
      <FormNote message={next.state === 'failed' ? next.message : failure} />
    </Dialog>
  )
}
