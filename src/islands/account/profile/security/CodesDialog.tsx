import { Download } from 'lucide-react'
import { company } from '#lib/company.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { saveFile } from '#ui/save-file.ts'
import styles from './security.module.css'
import { forgetNewCodes } from './security.ts'
import { texts } from './texts.ts'

/** New recovery codes. They can only be shown now: the server stores hashes. */
export function CodesDialog({ codes }: { readonly codes: readonly string[] }) {
  return (
    <Dialog
      title={texts.yourCodes}
      tall
      onClose={forgetNewCodes}
      footer={
        <>
          <button type="button" className="btn" onClick={() => save(codes)}>
            <Download className="i" aria-hidden="true" />
            {texts.download}
          </button>
          <button type="button" className="btn primary" onClick={forgetNewCodes}>
            {texts.codesSaved}
          </button>
        </>
      }
    >
      <p>{texts.aboutCodes({ b: text => <b key="b">{text}</b> })}</p>
      <ol className={styles['codes']} dir="ltr">
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
  const text = `${texts.file({ company: company.name })}\n\n${codes.join('\n')}\n`
  const file = new Blob([text], { type: 'text/plain;charset=utf-8' })
  saveFile(file, `${company.name.toLowerCase()}-recovery-codes.txt`)
}
