import { Download } from 'lucide-react'
import { useState } from 'react'
import { showToast } from '#session/toasts.ts'
import { saveFile } from '#ui/save-file.ts'
import { useBusy } from '#ui/use-busy.ts'
import styles from './csv-button.module.css'
import { texts } from './csv-texts.ts'

export type CsvResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly message: string }

export interface CsvButtonProps {
  readonly label: string
  readonly name: string
  readonly load: () => Promise<CsvResult>
}

/** Downloads a list as a CSV file, and announces it to screen readers. */
export function CsvButton({ label, name, load }: CsvButtonProps) {
  const { slow, run } = useBusy()
  const [ready, setReady] = useState(false)
  const download = async (): Promise<'done'> => {
    setReady(false)
    const csv = await load()
    if (csv.ok) saveFile(new Blob([csv.value], { type: 'text/csv;charset=utf-8' }), name)
    else showToast({ type: 'error', message: csv.message })
    setReady(csv.ok)
    return 'done'
  }
  return (
    <>
      <button type="button" className={`btn ${styles['button']}`} onClick={() => run(download)}>
        <Download className="i" aria-hidden="true" />
        {slow ? texts.preparing : label}
      </button>
      <span className="sr" role="status">
        {slow ? texts.preparingFile : ready && texts.ready({ name })}
      </span>
    </>
  )
}
