import { Plus } from 'lucide-react'
import { ownHtml } from '#session/trusted-types.ts'
import type { ReadyAnswer } from './answers.ts'
import styles from './support-form.module.css'
import { support } from './texts.ts'

export interface HelpfulAnswer extends ReadyAnswer {
  /** The question's anchor on `/faq`. */
  readonly name: string
  /** HTML from our own Markdown files. */
  readonly answer: string
}

/** Likely answers, collapsed, shown in place so that the user does not leave the message. */
export function LikelyAnswers({ answers }: { readonly answers: readonly HelpfulAnswer[] }) {
  return (
    <>
      <p className="sr" role="status">
        {answers.length > 0 && support.answersAbove({ count: answers.length })}
      </p>
      {answers.length > 0 && (
        <section className={`faq ${styles.answers}`} aria-labelledby="likely-answers">
          <h2 id="likely-answers">{support.helps}</h2>
          {answers.map(({ name, question, answer }) => (
            <details key={name}>
              <summary>
                <span>{question}</span>
                <Plus className="i" />
              </summary>
              {/* biome-ignore lint/security/noDangerouslySetInnerHtml: Markdown of ours, rendered when the site is built */}
              <div dangerouslySetInnerHTML={{ __html: ownHtml(answer) }} />
            </details>
          ))}
        </section>
      )}
    </>
  )
}
