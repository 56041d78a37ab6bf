import { useStore } from '@nanostores/react'
import { Phone, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { searchContacts } from '#lib/account/contacts.ts'
import type { Contact } from '#lib/api/contacts.ts'
import { showToast } from '#session/toasts.ts'
import { $contacts, loadContacts } from '#shared/contacts.ts'
import { $formatNumber, loadNumberFormat } from '#shared/numbers/number-format.ts'
import { Flag } from '#ui/Flag.tsx'
import styles from '../dialler.module.css'
import { ContactsWaiting } from './ContactsWaiting.tsx'
import contactStyles from './contacts.module.css'
import { FavouriteButton } from './FavouriteButton.tsx'
import { dialContact } from './unsaved-number.ts'

/** The contacts in the sidebar: search and enter into the dialler. Only the dialog deletes them. */
export function SidebarContacts() {
  const known = useStore($contacts)
  const [query, setQuery] = useState('')
  const contacts = known.state === 'ready' ? known.value : []
  return (
    <>
      <div className={`sec ${styles['heading']}`}>
        <h2>Contacts</h2>
        {contacts.length > 0 && (
          <div className={`withicon ${styles['search']}`}>
            <Search className="i" aria-hidden="true" />
            <input
              className="input"
              type="search"
              dir="auto"
              autoComplete="off"
              aria-label="Search contacts"
              placeholder="Search by name"
              value={query}
              onChange={event => setQuery(event.target.value)}
            />
          </div>
        )}
      </div>
      {known.state === 'loading' && <ContactsWaiting />}
      {known.state === 'failed' && (
        <div className={contactStyles.failure}>
          <p className="soft">{known.message}</p>
          <button type="button" className="btn small" onClick={() => void loadContacts()}>
            Try again
          </button>
        </div>
      )}
      {known.state === 'ready' && contacts.length === 0 && <NoContacts />}
      {contacts.length > 0 && <Rows contacts={contacts} query={query} />}
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
        No saved contacts yet.
        <br />
        <span className="soft small">Type a number and choose + Save this number.</span>
      </p>
    </div>
  )
}

function showFault(message: string | null): void {
  if (message !== null) showToast({ type: 'error', message })
}

function Rows({ contacts, query }: { readonly contacts: readonly Contact[]; readonly query: string }) {
  const { format } = useStore($formatNumber)
  const found = searchContacts(contacts, query)
  useEffect(() => {
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  return (
    <>
      <p className={found.length > 0 ? 'sr' : 'soft'} role="status">
        {query !== '' && (found.length > 0 ? `${found.length} found` : 'No contact has that name.')}
      </p>
      <ul className={`rows ${styles['contacts']}`}>
        {found.map(contact => (
          <li key={contact.id}>
            <Flag isoCode={contact.iso_code} />
            <div>
              <b>
                <bdi>{contact.name}</bdi>
              </b>
              <small className="num">
                {format(contact.phone_number, contact.iso_code)}
                {contact.extension !== undefined && ` ${contact.extension}`}
              </small>
            </div>
            <FavouriteButton contact={contact} onFault={showFault} />
            <button
              type="button"
              className="tap dial"
              aria-label={`Dial ${contact.name}`}
              onClick={() => dialContact(contact)}
            >
              <Phone className="i" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
