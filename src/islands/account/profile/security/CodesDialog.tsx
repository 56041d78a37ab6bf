import { Download } from 'lucide-react'
import { company } from '#lib/company.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { saveFile } from '#ui/save-file.ts'
import styles from './security.module.css'
import { forgetNewCodes } from './security.ts'

/** New recovery codes. They can only be shown now: the server stores hashes. */
export function CodesDialog({ codes }: { readonly codes: readonly string[] }) {
  return (
    <Dialog
      title="Your recovery codes"
      tall
      onClose={forgetNewCodes}
      footer={
        <>
          <button type="button" className="btn" onClick={() => save(codes)}>
            <Download className="i" aria-hidden="true" />
            Download
          </button>
          <button type="button" className="btn primary" onClick={forgetNewCodes}>
            I've saved them
          </button>
        </>
      }
    >
      <p>
        If you lose your passkey or your phone, log in with one of these. Each works once. Keep them where you
        keep your passport: <b>we can't show them again</b>.
      </p>
      <ol className={styles['codes']}>
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function save(codes: readonly string[]): void {
  const text = `${company.name} recovery codes. Each works once.\n\n${codes.join('\n')}\n`
  const file = new Blob([text], { type: 'text/plain;charset=utf-8' })
  saveFile(file, `${company.name.toLowerCase()}-recovery-codes.txt`)
}
