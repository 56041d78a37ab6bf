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
import { $nextTestCall, loadNextTestCall, placeTestCall } from './test-call.ts'
import { notPlacedTexts, testCallTexts } from './test-call-texts.ts'

export interface TestCallDialogProps {
  /** E.164, verified. */
  readonly number: string
  readonly onClose: () => void
}

const whenFormat = dateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

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
    else setFailure(notPlacedTexts[placing])
    return 'done'
  }
  // One button for all states, so that it keeps the focus.
  const [label, press] =
    next.state === 'failed'
      ? [testCallTexts.tryAgain, () => void loadNextTestCall()]
      : [
          slow ? testCallTexts.calling : asking ? testCallTexts.checking : testCallTexts.title,
          () => run(call),
        ]

  return (
    <Dialog
      title={testCallTexts.title}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {used === null ? testCallTexts.notNow : testCallTexts.close}
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
        <p className="bignum num" dir="ltr">
          {format(number, '')}
        </p>
        <p>
          {shown === null
            ? testCallTexts.showsPublic
            : testCallTexts.shows({
                shown: format(shown, ''),
                number: text => (
                  <span key="number" className="num">
                    {text}
                  </span>
                ),
              })}
        </p>
        {shown === number && <p className="small soft">{testCallTexts.callsItself}</p>}
        <p className="small soft" role="status">
          {used === null
            ? testCallTexts.free({ rate: formatCharge(defaultFreeCallTerms.worthMicroUsd) })
            : testCallTexts.used({ when: whenFormat(used) })}
        </p>
      </div>
      <FormNote message={next.state === 'failed' ? next.message : failure} />
    </Dialog>
  )
}
