import { useStore } from '@nanostores/react'
import { Search } from 'lucide-react'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { searchContacts } from '#lib/account/contacts.ts'
import type { Contact } from '#lib/api/contacts.ts'
import { $contacts, loadContacts } from '#shared/contacts.ts'
import { loadNumberFormat } from '#shared/numbers/number-format.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { PeopleStrip } from '../people/PeopleStrip.tsx'
import { BookButtons } from './BookButtons.tsx'
import { ContactRow } from './ContactRow.tsx'
import { ContactSheet } from './ContactSheet.tsx'
import { ContactsWaiting } from './ContactsWaiting.tsx'
import styles from './contacts.module.css'
import { dialog } from './dialog-texts.ts'
import { $favourites } from './favourites.ts'
import type { ImportDialogProps } from './ImportDialog.tsx'
import { nobodyFound } from './nobody-found.ts'
import { RecentList } from './RecentList.tsx'
import { followRecents } from './recents.ts'
import { Tabs } from './Tabs.tsx'
import { texts } from './texts.ts'
import { UndoDelete } from './UndoDelete.tsx'
import { deleteWithUndo } from './undo-delete.ts'
import { useOpenedContact } from './use-opened-contact.ts'

export interface ContactsDialogProps {
  readonly onClose: () => void
}

/** Opens with the people and the recent calls if there are favourites, otherwise with all saved numbers. */
export function ContactsDialog({ onClose }: ContactsDialogProps) {
  const known = useStore($contacts)
  const [opened] = useState(() => ($favourites.get().length > 0 ? 'recent' : 'all'))
  const { shown, open } = useOpenedContact()
  const [Import, setImport] = useState<ComponentType<ImportDialogProps> | null>(null)
  const search = useRef<HTMLInputElement>(null)
  const empty = known.state === 'ready' && known.value.length === 0

  useEffect(() => {
    if (opened === 'recent') document.getElementById('tab-recent')?.focus()
    void loadContacts()
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [opened])

  const openImport = async () => {
    const { ImportDialog } = await import('./ImportDialog.tsx')
    setImport(() => ImportDialog)
  }

  return (
    <>
      <Dialog title={dialog.title} tall={!empty} onClose={onClose}>
        <Tabs
          label={dialog.title}
          opened={opened}
          tabs={[
            { id: 'recent', title: dialog.recent, panel: <Recent onCall={onClose} /> },
            {
              id: 'all',
              title: dialog.all,
              panel: (
                <AllContacts
                  search={search}
                  onOpen={open}
                  onCall={onClose}
                  onImport={() => void openImport()}
                />
              ),
            },
          ]}
        />
      </Dialog>
      {shown !== null && (
        <ContactSheet
          contact={shown}
          onClose={why => {
            flushSync(() => open(null))
            if (why === 'dialled') onClose()
            if (why === 'deleted') search.current?.focus()
          }}
        />
      )}
      {Import !== null && <Import onClose={() => setImport(null)} />}
    </>
  )
}

function Recent({ onCall }: { readonly onCall: () => void }) {
  useEffect(followRecents, [])
  return (
    <>
      <PeopleStrip onCall={onCall} />
      <RecentList onCall={onCall} />
    </>
  )
}

interface AllContactsProps {
  readonly search: { readonly current: HTMLInputElement | null }
  readonly onOpen: (contact: Contact) => void
  readonly onCall: () => void
  readonly onImport: () => void
}

function AllContacts({ search, onOpen, onCall, onImport }: AllContactsProps) {
  const known = useStore($contacts)
  const [query, setQuery] = useState('')

  useEffect(() => {
    // Do not move the focus of a keyboard user on the tabs.
    if (document.activeElement?.role !== 'tab') search.current?.focus()
  }, [search])

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
          aria-label={texts.search}
          placeholder={texts.searchHint}
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
      </div>
      {known.state === 'loading' && <ContactsWaiting />}
      {known.state === 'failed' && (
        <div className={styles.failure}>
          <FormNote message={known.message} />
          <button type="button" className="btn" onClick={() => void loadContacts()}>
            {texts.tryAgain}
          </button>
        </div>
      )}
      {known.state === 'ready' && (
        <>
          <List
            contacts={known.value}
            query={query}
            onOpen={onOpen}
            onCall={onCall}
            onGone={() => search.current?.focus()}
          />
          <BookButtons contacts={known.value} onImport={onImport} />
        </>
      )}
    </>
  )
}

interface ListProps {
  readonly contacts: readonly Contact[]
  readonly query: string
  readonly onOpen: (contact: Contact) => void
  readonly onCall: () => void
  /** What had the focus is gone. */
  readonly onGone: () => void
}

function List({ contacts, query, onOpen, onCall, onGone }: ListProps) {
  const [fault, setFault] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<ReadonlySet<string>>(new Set())
  /** The id of the contact of which was said that its deletion cannot be undone. */
  const [warned, setWarned] = useState<string | null>(null)
  const found = searchContacts(contacts, query)

  const remove = async (contact: Contact) => {
    const { id } = contact
    if (deleting.has(id)) return
    setFault(null)
    setDeleting(before => new Set(before).add(id))
    const deletion = await deleteWithUndo(contact, warned === id)
    setDeleting(before => new Set([...before].filter(other => other !== id)))
    setWarned(deletion === 'final' ? id : null)
    if (deletion === 'deleted') onGone()
    else setFault(deletion === 'final' ? texts.final : texts.deleteFailed)
  }

  return (
    <>
      <FormNote message={fault} />
      <UndoDelete onUndone={onGone} />
      <p className="sr" role="status">
        {dialog.contacts({ count: found.length })}
      </p>
      {contacts.length === 0 && (
        <div className={styles.none}>
          <svg className="i" viewBox="0 0 96 64" aria-hidden="true">
            <path d="M2 2h92v60H2zM12 14h24M12 22h18M44 40h38M44 48h30M72 10h14v16H72z" />
          </svg>
          <p className="soft">{texts.noContacts}</p>
        </div>
      )}
      {contacts.length > 0 && found.length === 0 && <p className="soft">{nobodyFound(query)}</p>}
      {found.length > 0 && (
        <ul className="rows">
          {found.map(contact => (
            <ContactRow
              key={contact.id}
              contact={contact}
              deletion={{ busy: deleting.has(contact.id), onDelete: () => void remove(contact) }}
              onOpen={() => onOpen(contact)}
              onCall={onCall}
            />
          ))}
        </ul>
      )}
    </>
  )
}
