import { useStore } from '@nanostores/react'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { searchContacts } from '#lib/account/contacts.ts'
import type { Contact } from '#lib/api/contacts.ts'
import { texts } from '#lib/texts.ts'
import { $contacts, deleteContact, loadContacts } from '#shared/contacts.ts'
import { loadNumberFormat } from '#shared/numbers/number-format.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { ContactRow } from './ContactRow.tsx'
import { ContactsWaiting } from './ContactsWaiting.tsx'
import styles from './contacts.module.css'
import { Favourites } from './Favourites.tsx'
import { $favourites } from './favourites.ts'
import { RecentList } from './RecentList.tsx'
import { followRecents } from './recents.ts'
import { Tabs } from './Tabs.tsx'
import { dialContact } from './unsaved-number.ts'

export interface ContactsDialogProps {
  readonly onClose: () => void
}

/** Opens with the favourites if there are any, otherwise with all saved numbers. */
export function ContactsDialog({ onClose }: ContactsDialogProps) {
  const known = useStore($contacts)
  const [opened] = useState(() => ($favourites.get().length > 0 ? 'recent' : 'all'))
  const empty = known.state === 'ready' && known.value.length === 0

  useEffect(() => {
    if (opened === 'recent') document.getElementById('tab-recent')?.focus()
    void loadContacts()
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [opened])

  return (
    <Dialog title="Your Contacts" tall={!empty} onClose={onClose}>
      <Tabs
        label="Your Contacts"
        opened={opened}
        tabs={[
          { id: 'recent', title: 'Recent', panel: <Recent onDial={onClose} /> },
          { id: 'all', title: 'All contacts', panel: <AllContacts onDial={onClose} /> },
        ]}
      />
    </Dialog>
  )
}

interface PanelProps {
  readonly onDial: () => void
}

function Recent({ onDial }: PanelProps) {
  useEffect(followRecents, [])
  return (
    <>
      <Favourites onDial={onDial} />
      <RecentList onDial={onDial} />
    </>
  )
}

function AllContacts({ onDial }: PanelProps) {
  const known = useStore($contacts)
  const [query, setQuery] = useState('')
  const search = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // Do not move the focus of a keyboard user on the tabs.
    if (document.activeElement?.role !== 'tab') search.current?.focus()
  }, [])

  return (
    <>
      <div className="withicon">
        <Search className="i" aria-hidden="true" />
        <input
          ref={search}
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
      {known.state === 'loading' && <ContactsWaiting />}
      {known.state === 'failed' && (
        <div className={styles.failure}>
          <FormNote message={known.message} />
          <button type="button" className="btn" onClick={() => void loadContacts()}>
            Try again
          </button>
        </div>
      )}
      {known.state === 'ready' && (
        <List
          contacts={known.value}
          query={query}
          onGone={() => search.current?.focus()}
          onChoose={contact => {
            dialContact(contact)
            onDial()
          }}
        />
      )}
    </>
  )
}

interface ListProps {
  readonly contacts: readonly Contact[]
  readonly query: string
  readonly onChoose: (contact: Contact) => void
  /** The row that had the focus was deleted. */
  readonly onGone: () => void
}

function List({ contacts, query, onChoose, onGone }: ListProps) {
  // Announced here, because toasts are beneath a modal dialog.
  const [said, setSaid] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<ReadonlySet<string>>(new Set())
  const found = searchContacts(contacts, query)

  const remove = async ({ id }: Contact) => {
    if (deleting.has(id)) return
    setSaid(null)
    setFault(null)
    setDeleting(before => new Set(before).add(id))
    const { deleted } = await deleteContact(id)
    setDeleting(before => new Set([...before].filter(other => other !== id)))
    if (!deleted) return setFault(texts.contacts.delete_failed)
    setSaid(texts.contacts.deleted)
    onGone()
  }

  return (
    <>
      <FormNote message={fault} />
      <p className={said === null ? 'sr' : 'soft'} role="status">
        {said ?? `${found.length} ${found.length === 1 ? 'contact' : 'contacts'}`}
      </p>
      {contacts.length === 0 && (
        <div className={styles.none}>
          <svg className="i" viewBox="0 0 96 64" aria-hidden="true">
            <path d="M2 2h92v60H2zM12 14h24M12 22h18M44 40h38M44 48h30M72 10h14v16H72z" />
          </svg>
          <p className="soft">No saved contacts yet.</p>
        </div>
      )}
      {contacts.length > 0 && found.length === 0 && <p className="soft">No contact has that name.</p>}
      {found.length > 0 && (
        <ul className="rows">
          {found.map(contact => (
            <ContactRow
              key={contact.id}
              contact={contact}
              deleting={deleting.has(contact.id)}
              onDelete={() => void remove(contact)}
              onChoose={() => onChoose(contact)}
              onFault={setFault}
            />
          ))}
        </ul>
      )}
    </>
  )
}
