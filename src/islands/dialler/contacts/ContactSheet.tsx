import { useStore } from '@nanostores/react'
import { Moon, Phone } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { maxContactNotes } from '#lib/account/contacts.ts'
import { cleanNotes } from '#lib/account/names.ts'
import type { Contact } from '#lib/api/contacts.ts'
import { countryOfIso } from '#lib/numbers/countries.ts'
import { localTimeOfNumber, sleepText, timeText } from '#lib/numbers/local-time.ts'
import { showToast } from '#session/toasts.ts'
import { type ContactChange, changeContact, restoreContact } from '#shared/contacts.ts'
import { contactTexts } from '#shared/contacts-texts.ts'
import { $formatNumber } from '#shared/numbers/number-format.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { described, Field } from '#ui/Field.tsx'
import { Flag } from '#ui/Flag.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import { isLive } from '#voice/call.ts'
import { $call } from '../call/call.ts'
import { draftOf, isChanged, saveOnLeaving, withTyped } from './contact-draft.ts'
import styles from './contacts.module.css'
import { FavouriteButton } from './FavouriteButton.tsx'
import { texts } from './texts.ts'
import { deleteWithUndo } from './undo-delete.ts'
import { callContact, dialContact } from './unsaved-number.ts'
import { useMinute } from './use-minute.ts'

export interface ContactSheetProps {
  readonly contact: Contact
  readonly onClose: (why: 'closed' | 'deleted' | 'dialled') => void
}

const formId = 'contact-sheet'
const nameId = 'contact-sheet-name'
const notesId = 'contact-sheet-notes'

/** Everything about one contact: number and time there, name and notes, star, call, delete. Leaving it saves. */
export function ContactSheet({ contact, onClose }: ContactSheetProps) {
  const { format } = useStore($formatNumber)
  const live = isLive(useStore($call))
  const { name, phone_number, iso_code, extension = '' } = contact
  const [typed, setTyped] = useState(() => draftOf(contact))
  const [failure, setFailure] = useState<string | null>(null)
  const [warned, setWarned] = useState(false)
  const deleting = useBusy()
  const leave = (why: 'closed' | 'dialled') => {
    onClose(why)
    void saveOnLeaving(contact, typed)
  }
  const dialled = (begin: () => void) => {
    leave('dialled')
    begin()
  }
  const remove = async (): Promise<'done'> => {
    setFailure(null)
    const deletion = await deleteWithUndo(withTyped(contact, typed), warned)
    setWarned(deletion === 'final')
    if (deletion === 'deleted') onClose('deleted')
    else setFailure(deletion === 'final' ? texts.final : texts.deleteFailed)
    return 'done'
  }
  return (
    <Dialog
      title={name}
      onClose={() => leave('closed')}
      footer={
        <>
          <button type="button" className="btn danger" onClick={() => deleting.run(remove)}>
            {deleting.slow ? texts.deleting : texts.delete}
          </button>
          <button
            type="button"
            className="btn call"
            disabled={live}
            onClick={() => dialled(() => void callContact(contact))}
          >
            <Phone className="i" aria-hidden="true" />
            {texts.call}
          </button>
        </>
      }
    >
      <div className={styles.about}>
        <Flag isoCode={iso_code} size={48} />
        <div>
          <p className="num">
            <bdi>
              <b>{format(phone_number, iso_code)}</b>
              {extension !== '' && ` ${extension}`}
            </bdi>
          </p>
          <Place contact={contact} />
          {!live && (
            <button type="button" className={styles.link} onClick={() => dialled(() => dialContact(contact))}>
              {texts.enterNumber}
            </button>
          )}
        </div>
        <FavouriteButton contact={contact} onFault={setFailure} />
      </div>
      <FormNote message={failure} />
      <Details contact={contact} typed={typed} onType={setTyped} onRestored={() => onClose('closed')} />
    </Dialog>
  )
}

function Place({ contact }: { readonly contact: Contact }) {
  const local = localTimeOfNumber(contact.phone_number, useMinute(), contact.iso_code)
  const sleep = local === null ? null : sleepText(local)
  const country = countryOfIso(contact.iso_code)?.name
  return (
    <p className={`small soft ${styles.there}`}>
      {[country, local === null ? undefined : timeText(local), sleep ?? undefined]
        .filter(part => part !== undefined)
        .join(texts.separator)}
      {sleep !== null && <Moon className="i" aria-hidden="true" />}
    </p>
  )
}

interface DetailsProps {
  readonly contact: Contact
  readonly typed: ContactChange
  readonly onType: (typed: ContactChange) => void
  /** A contact that was deleted elsewhere is saved as a new one. */
  readonly onRestored: () => void
}

type Fault = { readonly of: 'name' | 'notes'; readonly message: string }

/** After a failure, what was typed stays. */
function Details({ contact, typed, onType, onRestored }: DetailsProps) {
  const [fault, setFault] = useState<Fault | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [gone, setGone] = useState(false)
  const { slow, run } = useBusy()
  const form = useRef<HTMLFormElement>(null)

  const restore = async (): Promise<'done'> => {
    const { restored } = await restoreContact(withTyped(contact, typed))
    if (!restored) setFailure(contactTexts.changeFailed)
    else {
      showToast({ type: 'success', message: contactTexts.saved })
      onRestored()
    }
    return 'done'
  }
  const save = async (): Promise<'done'> => {
    setFault(null)
    setFailure(null)
    if (gone) return restore()
    const saving = await changeContact(contact.id, typed)
    switch (saving.kind) {
      case 'saved':
        showToast({ type: 'success', message: texts.changesSaved })
        break
      case 'nameless':
        setFault({ of: 'name', message: texts.nameless })
        form.current?.querySelector('input')?.focus()
        break
      case 'refused':
        setFault({
          of: cleanNotes(typed.notes).length > maxContactNotes ? 'notes' : 'name',
          message: saving.message,
        })
        break
      case 'gone':
        setGone(true)
        setFailure(texts.gone)
        break
      case 'failed':
        setFailure(saving.message)
        break
      default:
        saving satisfies never
    }
    return 'done'
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    run(save)
  }
  const faultOf = (field: Fault['of']) => (fault?.of === field ? fault.message : null)

  return (
    <form ref={form} id={formId} className={styles.form} noValidate onSubmit={submit}>
      <Field id={nameId} label={texts.name} fault={faultOf('name')}>
        <input
          className="input"
          id={nameId}
          type="text"
          dir="auto"
          autoComplete="off"
          value={typed.name}
          onChange={event => onType({ ...typed, name: event.target.value })}
          {...described(nameId, undefined, faultOf('name'))}
        />
      </Field>
      <Field id={notesId} label={texts.notes} fault={faultOf('notes')}>
        <textarea
          className="input"
          id={notesId}
          dir="auto"
          rows={3}
          value={typed.notes}
          onChange={event => onType({ ...typed, notes: event.target.value })}
          {...described(notesId, undefined, faultOf('notes'))}
        />
      </Field>
      <FormNote message={failure} />
      <button type="submit" className="btn primary" disabled={!isChanged(contact, typed)}>
        {slow ? texts.saving : texts.saveChanges}
      </button>
    </form>
  )
}
