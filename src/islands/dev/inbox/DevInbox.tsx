import { useStore } from '@nanostores/react'
import { Search, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { clockFormat } from '#lib/clock.ts'
import { $localInbox, loadSite } from '#session/site.ts'
import { $inbox, emptyInbox, type Mail, type MailSource, watchInbox } from './inbox.ts'
import { MailView } from './MailView.tsx'

const timeOfDay = new Intl.DateTimeFormat('en-GB', clockFormat)

/** Usable as an element id and in a URL. */
function idOf(mail: Mail): string {
  return `mail-${mail.id}`
}

function addressHash(): string {
  return window.location.hash.slice(1)
}

function useAddressHash(): string {
  const [hash, setHash] = useState(addressHash)
  useEffect(() => {
    const follow = () => setHash(addressHash())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return hash
}

function MailList(props: { readonly mails: readonly Mail[]; readonly open: Mail | undefined }) {
  return (
    <ul className="mails">
      {props.mails.map(mail => (
        <li key={idOf(mail)}>
          <a href={`#${idOf(mail)}`} aria-current={mail === props.open ? 'true' : undefined}>
            <b>{mail.subject}</b>
            <time className="num" dateTime={mail.sentAt}>
              {timeOfDay.format(new Date(mail.sentAt))}
            </time>
            <small>To {mail.to}</small>
          </a>
        </li>
      ))}
    </ul>
  )
}

const texts = {
  '/dev/inbox': { heading: 'Inbox', other: '/dev/letters', otherLabel: 'Every letter we send' },
  '/dev/letters': { heading: 'Letters', other: '/dev/inbox', otherLabel: 'The inbox' },
} as const

/** Mails that the server would have sent, newest first, or samples. The first is open until another is chosen. */
export function DevInbox({ source }: { readonly source: MailSource }) {
  const { heading, other, otherLabel } = texts[source]
  const inbox = useStore($inbox)
  const local = useStore($localInbox)
  const [filter, setFilter] = useState('')
  const chosen = useAddressHash()
  useEffect(() => watchInbox(source), [source])
  useEffect(() => {
    void loadSite()
  }, [])

  const mails = inbox.state === 'ready' ? inbox.mails : []
  const shown = mails.filter(mail => mail.to.toLowerCase().includes(filter.trim().toLowerCase()))
  const open = shown.find(mail => idOf(mail) === chosen) ?? shown[0]

  return (
    <div className="wrap mailbox">
      <section aria-labelledby="inbox-heading">
        <div className="sec">
          <h1 id="inbox-heading">{heading}</h1>
          {source === '/dev/inbox' && mails.length > 0 && (
            <button type="button" className="btn" onClick={() => void emptyInbox()}>
              <Trash2 className="i" aria-hidden="true" />
              Empty
            </button>
          )}
        </div>
        {mails.length > 0 && (
          <div className="withicon">
            <Search className="i" />
            <input
              className="input"
              type="search"
              aria-label="Filter by address"
              placeholder="Filter by address"
              value={filter}
              onChange={event => setFilter(event.currentTarget.value)}
            />
          </div>
        )}
        <p className="sr" role="status">
          {inbox.state === 'ready' && `${shown.length} mails`}
        </p>
        {inbox.state === 'failed' || (inbox.state === 'ready' && inbox.stale) ? (
          <p className="note warn" role="alert">
            The server isn't answering. Trying again every 2 seconds.
          </p>
        ) : null}
        {inbox.state === 'ready' && mails.length === 0 && (
          <p className="blankbox">
            No e-mails yet.
            <br />
            <span className="soft small">
              {local
                ? 'Register on this machine and the message lands here.'
                : 'This server sends its e-mails through the mail server in SMTP_URL.'}
            </span>
          </p>
        )}
        {mails.length > 0 && shown.length === 0 && <p className="blankbox">No e-mail to that address.</p>}
        {shown.length > 0 && <MailList mails={shown} open={open} />}
        <p className="small">
          <a className="btn plain" href={other}>
            {otherLabel}
          </a>
        </p>
      </section>
      {open && <MailView key={idOf(open)} id={idOf(open)} mail={open} page={`${source}/${open.id}`} />}
    </div>
  )
}
