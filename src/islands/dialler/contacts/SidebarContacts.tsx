import { useStore } from '@nanostores/react'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { searchContacts } from '#lib/account/contacts.ts'
import type { Contact } from '#lib/api/contacts.ts'
import { $contacts, loadContacts } from '#shared/contacts.ts'
import { loadNumberFormat } from '#shared/numbers/number-format.ts'
import styles from '../dialler.module.css'
import { ContactRow } from './ContactRow.tsx'
import { ContactSheet } from './ContactSheet.tsx'
import { ContactsWaiting } from './ContactsWaiting.tsx'
import contactStyles from './contacts.module.css'
import { nobodyFound } from './nobody-found.ts'
import { texts } from './texts.ts'
import { UndoDelete } from './UndoDelete.tsx'
import { useOpenedContact } from './use-opened-contact.ts'

/** The contacts in the sidebar: search, open, call. Their sheet and the dialog delete them. */
export function SidebarContacts() {
  const known = useStore($contacts)
  const [query, setQuery] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const { shown, open } = useOpenedContact()
  const contacts = known.state === 'ready' ? known.value : []
  return (
    <>
      <div className={`sec ${styles['heading']}`}>
        <h2 ref={heading} tabIndex={-1}>
          {texts.title}
        </h2>
        {contacts.length > 0 && (
          <div className={`withicon ${styles['search']}`}>
            <Search className="i" aria-hidden="true" />
            <input
              className="input"
              type="search"
              dir="auto"
              autoComplete="off"
              aria-label={texts.search}
              placeholder={texts.searchHint}
              value={query}
              onChange={event => setQuery(event.target.value)}
            />
          </div>
        )}
      </div>
      <UndoDelete onUndone={() => heading.current?.focus()} />
      {known.state === 'loading' && <ContactsWaiting />}
      {known.state === 'failed' && (
        <div className={contactStyles.failure}>
          <p className="soft">{known.message}</p>
          <button type="button" className="btn small" onClick={() => void loadContacts()}>
            {texts.tryAgain}
          </button>
        </div>
      )}
      {known.state === 'ready' && contacts.length === 0 && <NoContacts />}
      {contacts.length > 0 && <Rows contacts={contacts} query={query} onOpen={open} />}
      {shown !== null &&
        createPortal(
          <ContactSheet
            contact={shown}
            onClose={why => {
              flushSync(() => open(null))
              if (why === 'deleted') heading.current?.focus()
            }}
          />,
          document.body,
        )}
    </>
  )
}

function NoContacts() {
  return (
    <div className="blank">
      <svg className="i" viewBox="0 0 96 64" aria-hidden="true">
        <path d="M2 2h92v60H2zM12 14h24M12 22h18M44 40h38M44 48h30M72 10h14v16H72z" />
      </svg>
      <p>
        {texts.noContacts}
        <br />
        <span className="soft small">{texts.howToSave}</span>
      </p>
    </div>
  )
}

interface RowsProps {
  readonly contacts: readonly Contact[]
  readonly query: string
  readonly onOpen: (contact: Contact) => void
}

function Rows({ contacts, query, onOpen }: RowsProps) {
  const found = searchContacts(contacts, query)
  useEffect(() => {
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  return (
    <>
      <p className={found.length > 0 ? 'sr' : 'soft'} role="status">
        {query !== '' && (found.length > 0 ? texts.found({ count: found.length }) : nobodyFound(query))}
      </p>
      <ul className={`rows ${styles['contacts']}`}>
        {found.map(contact => (
          <ContactRow key={contact.id} contact={contact} onOpen={() => onOpen(contact)} />
        ))}
      </ul>
    </>
  )
}
