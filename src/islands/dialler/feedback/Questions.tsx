import { useStore } from '@nanostores/react'
import { ArrowRight } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { type Issue, poorScore, type Score, scores } from '#lib/calls/feedback.ts'
import { formatCharge } from '#lib/money/money.ts'
import { $reviewUrl } from '#session/site.ts'
import { IssueChoice } from '#ui/IssueChoice.tsx'
import { CloseButton } from '#ui/Modal.tsx'
import styles from './feedback.module.css'
import { feedback } from './feedback.ts'
import { texts } from './texts.ts'

export function Questions({ titleId }: { readonly titleId: string }) {
  const reviewUrl = useStore($reviewUrl)
  const [score, setScore] = useState<Score | null>(null)
  const [issue, setIssue] = useState<Issue>()
  const [claims, setClaims] = useState(false)
  const refundMicroUsd = useStore(feedback.$refund)
  const choose = (chosen: Issue | null) => setIssue(chosen ?? undefined)
  const wasPoor = score !== null && score <= poorScore
  const claim = claims && refundMicroUsd !== null
  const answer = score !== null && (wasPoor ? { score, issue, claim } : { score })
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (answer) void feedback.submit(answer)
  }
  return (
    <>
      <header>
        <h2 id={titleId}>{texts.title}</h2>
        <CloseButton />
      </header>
      <form className="in" id="feedback" onSubmit={send}>
        <fieldset className={styles['question']}>
          <legend className="label">{texts.scale}</legend>
          <div className="scores">
            {scores.map(each => (
              <label key={each}>
                <input
                  className="sr"
                  type="radio"
                  name="score"
                  checked={score === each}
                  onChange={() => setScore(each)}
                />
                {each}
              </label>
            ))}
          </div>
        </fieldset>
        {wasPoor && <IssueChoice className={styles['question']} chosen={issue ?? null} onChoose={choose} />}
        {wasPoor && refundMicroUsd !== null && (
          <Refund microUsd={refundMicroUsd} issue={issue} checked={claims} onCheck={setClaims} />
        )}
        {reviewUrl !== null && (
          <button
            type="button"
            className={`more ${styles['review']}`}
            disabled={score === null}
            onClick={() => answer && void feedback.submitAndReview(answer)}
          >
            {texts.review} <ArrowRight className="i" aria-hidden="true" />
          </button>
        )}
      </form>
      <footer>
        <button type="button" className="btn" onClick={feedback.close}>
          {texts.noThanks}
        </button>
        <button type="submit" form="feedback" className="btn primary" disabled={score === null}>
          {texts.send}
        </button>
      </footer>
    </>
  )
}

interface RefundProps {
  readonly microUsd: number
  readonly issue: Issue | undefined
  readonly checked: boolean
  readonly onCheck: (checked: boolean) => void
}

/** The claim for a bad call, which needs to say what went wrong. */
function Refund({ microUsd, issue, checked, onCheck }: RefundProps) {
  if (issue === undefined)
    return <p className="small soft">{texts.chooseIssue({ amount: formatCharge(microUsd) })}</p>
  return (
    <label className={styles['refund']}>
      <input type="checkbox" checked={checked} onChange={event => onCheck(event.target.checked)} />
      {texts.refund({ amount: formatCharge(microUsd) })}
    </label>
  )
}
