import { useStore } from '@nanostores/react'
import { ArrowRight } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { type Issue, type Score, scores } from '#lib/calls/feedback.ts'
import { $reviewUrl } from '#session/site.ts'
import { IssueChoice } from '#ui/IssueChoice.tsx'
import { CloseButton } from '#ui/Modal.tsx'
import styles from './feedback.module.css'
import { feedback } from './feedback.ts'

export function Questions({ titleId }: { readonly titleId: string }) {
  const reviewUrl = useStore($reviewUrl)
  const [score, setScore] = useState<Score | null>(null)
  const [issue, setIssue] = useState<Issue>()
  const choose = (chosen: Issue | null) => setIssue(chosen ?? undefined)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (score !== null) void feedback.submit({ score, issue })
  }
  return (
    <>
      <header>
        <h2 id={titleId}>How was your call?</h2>
        <CloseButton />
      </header>
      <form className="in" id="feedback" onSubmit={send}>
        <fieldset className={styles['question']}>
          <legend className="label">From 1, poor, to 5, clear</legend>
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
        <IssueChoice className={styles['question']} chosen={issue ?? null} onChoose={choose} />
        {reviewUrl !== null && (
          <button
            type="button"
            className={`more ${styles['review']}`}
            disabled={score === null}
            onClick={() => score !== null && void feedback.submitAndReview({ score, issue })}
          >
            Review us on an independent site <ArrowRight className="i" aria-hidden="true" />
          </button>
        )}
      </form>
      <footer>
        <button type="button" className="btn" onClick={feedback.close}>
          No Thanks
        </button>
        <button type="submit" form="feedback" className="btn primary" disabled={score === null}>
          Send
        </button>
      </footer>
    </>
  )
}
