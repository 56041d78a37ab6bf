import { type ChangeEvent, useState } from 'react'
import { $contacts } from '#shared/contacts.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormNote } from '#ui/FormNote.tsx'
import { useBusy } from '#ui/use-busy.ts'
import styles from './contacts.module.css'
import { type Book, ImportPreview } from './ImportPreview.tsx'
import { canPickContacts, pickContacts } from './import-book.ts'
import { importTexts } from './import-texts.ts'
import { type CardFile, decodeCards, maxFileBytes, readCards } from './vcard.ts'

export interface ImportDialogProps {
  readonly onClose: () => void
}

/** Choose a file, look at what it has, save it. Nothing is saved before the user has seen the counts. */
export function ImportDialog({ onClose }: ImportDialogProps) {
  const [book, setBook] = useState<Book | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const reading = useBusy()

  const show = async (file: CardFile): Promise<void> => {
    if (file.cards.length === 0) return setFailure(importTexts.empty)
    const rules = await loadPhoneRules()
    const known = $contacts.get()
    const saved = new Set(known.state === 'ready' ? known.value.map(each => each.phone_number) : [])
    setBook({ file, rules, saved })
  }
  const attempt = (read: () => Promise<CardFile | string | null>) =>
    reading.run(async () => {
      setFailure(null)
      try {
        const file = await read()
        if (typeof file === 'string') setFailure(file)
        else if (file !== null) await show(file)
      } catch (error) {
        console.error("We couldn't read the contacts.", error)
        setFailure(importTexts.unread)
      }
      return 'done'
    })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    // The same file can be chosen again after it was changed.
    event.target.value = ''
    if (file === undefined) return
    attempt(async () => {
      if (file.size > maxFileBytes) return importTexts.tooLarge
      return readCards(decodeCards(new Uint8Array(await file.arrayBuffer())))
    })
  }
  const pick = () =>
    attempt(async () => {
      const cards = await pickContacts()
      return cards.length === 0 ? null : { cards, broken: 0, cut: false }
    })

  if (book !== null) return <ImportPreview book={book} onClose={onClose} />
  return (
    <Dialog title={importTexts.title} onClose={onClose}>
      <p>{importTexts.intro}</p>
      <div className={styles.book}>
        <label className={`btn primary ${styles.file}`}>
          {reading.slow ? importTexts.reading : importTexts.chooseFile}
          <input className="sr" type="file" accept=".vcf,.vcard,text/vcard,text/x-vcard" onChange={choose} />
        </label>
        {canPickContacts() && (
          <button type="button" className="btn" onClick={pick}>
            {importTexts.choosePhone}
          </button>
        )}
      </div>
      <FormNote message={failure} />
    </Dialog>
  )
}
