import { type Ref, useId } from 'react'
import { type Issue, issueNames, issues } from '#lib/calls/feedback.ts'
import { issueTexts } from '#lib/calls/issue-texts.ts'
import { texts } from './issue-choice-texts.ts'

export interface IssueChoiceProps {
  readonly ref?: Ref<HTMLFieldSetElement>
  readonly className?: string | undefined
  readonly chosen: Issue | null
  /** Null when the chosen issue is pressed again, which clears it. */
  readonly onChoose: (issue: Issue | null) => void
}

export function IssueChoice({ ref, className, chosen, onChoose }: IssueChoiceProps) {
  const name = useId()
  return (
    <fieldset ref={ref} className={className}>
      <legend className="label">{texts.question}</legend>
      <div className="chips">
        {issueNames.map(each => (
          <label key={each}>
            <input
              className="sr"
              type="radio"
              name={name}
              checked={chosen === each}
              onChange={() => onChoose(each)}
              onClick={() => chosen === each && onChoose(null)}
            />
            {issueTexts[issues[each]]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
