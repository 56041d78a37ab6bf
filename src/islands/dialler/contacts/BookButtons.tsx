import { Download, Upload } from 'lucide-react'
import type { Contact } from '#lib/api/contacts.ts'
import { saveFile } from '#ui/save-file.ts'
import styles from './contacts.module.css'
import { dialog } from './dialog-texts.ts'
import { writeCards } from './vcard.ts'

export interface BookButtonsProps {
  readonly contacts: readonly Contact[]
  readonly onImport: () => void
}

/** Brings contacts from a file or the phone, and saves all of them to a file. */
export function BookButtons({ contacts, onImport }: BookButtonsProps) {
  const download = () =>
    saveFile(new Blob([writeCards(contacts)], { type: 'text/vcard;charset=utf-8' }), 'contacts.vcf')
  return (
    <div className={styles.book}>
      <button type="button" className="btn small" aria-haspopup="dialog" onClick={onImport}>
        <Upload className="i" aria-hidden="true" />
        {dialog.import}
      </button>
      {contacts.length > 0 && (
        <button type="button" className="btn small" onClick={download}>
          <Download className="i" aria-hidden="true" />
          {dialog.export}
        </button>
      )}
    </div>
  )
}
