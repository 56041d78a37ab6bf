import { useState } from 'react'
import { company } from '#lib/company.ts'
import styles from './dev-inbox.module.css'
import type { Mail } from './inbox.ts'
import { splitLinks } from './links.ts'

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** The text of a mail. Only links to this site become clickable. */
function LinkedText({ text }: { readonly text: string }) {
  let offset = 0
  return splitLinks(text).map(piece => {
    const key = offset
    offset += piece.text.length
    const here = piece.isLink && URL.parse(piece.text)?.origin === window.location.origin
    return here ? (
      <a key={key} href={piece.text}>
        {piece.text}
      </a>
    ) : (
      <span key={key}>{piece.text}</span>
    )
  })
}

interface MailViewProps {
  readonly id: string
  readonly mail: Mail
  /** URL of the HTML version. */
  readonly page: string
}

const views = { html: 'HTML', text: 'Text', source: 'Source' } as const

/** The HTML is loaded in a sandboxed frame without scripts, because the page's CSP allows no foreign markup. */
export function MailView({ id, mail, page }: MailViewProps) {
  const [view, setView] = useState<keyof typeof views>('html')
  return (
    <article className="mail" id={id} aria-label={mail.subject}>
      <dl>
        <div>
          <dt>Subject</dt>
          <dd>
            <b>{mail.subject}</b>
          </dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>
            {company.name} &lt;{company.supportEmail}&gt;
          </dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>{mail.to}</dd>
        </div>
        {mail.replyTo !== null && (
          <div>
            <dt>Reply to</dt>
            <dd>{mail.replyTo}</dd>
          </div>
        )}
        <div>
          <dt>Sent</dt>
          <dd>
            <time dateTime={mail.sentAt}>{full.format(new Date(mail.sentAt))}</time>
          </dd>
        </div>
      </dl>
      <div className="chips2">
        {(['html', 'text', 'source'] as const).map(kind => (
          <button
            key={kind}
            type="button"
            className="btn"
            aria-pressed={view === kind}
            onClick={() => setView(kind)}
          >
            {views[kind]}
          </button>
        ))}
        <a className="btn" href={page} target="_blank" rel="noopener">
          Open alone
        </a>
      </div>
      {view === 'html' && (
        <iframe
          title={mail.subject}
          src={page}
          sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
        />
      )}
      {view === 'text' && (
        <div className={styles.body}>
          <LinkedText text={mail.text} />
        </div>
      )}
      {view === 'source' && <pre className={styles.source}>{mail.html}</pre>}
    </article>
  )
}
