import { Download } from 'lucide-react'
import { useState } from 'react'
import type { LoadResult } from '#stores/billing.ts'
import { showToast } from '#stores/toasts.ts'
import { useBusy } from '../submit-button/useBusy.ts'
import styles from './csv-button.module.css'
import { saveCsv } from './save-csv.ts'

export interface CsvButtonProps {
  readonly label: string
  readonly name: string
  /** Resolves with the CSV text, or with a failure. */
  readonly load: () => Promise<LoadResult<string>>
}

/** Downloads a list as a CSV file, and announces it to screen readers. */
export function CsvButton({ label, name, load }: CsvButtonProps) {
  const { slow, run } = useBusy()
  const [ready, setReady] = useState(false)
  const download = async (): Promise<'done'> => {
    setReady(false)
    const csv = await load()
    if (csv.ok) saveCsv(name, csv.value)
    else showToast({ type: 'error', message: csv.message })
    setReady(csv.ok)
    return 'done'
  }
  return (
    <>
      <button type="button" className={`btn ${styles['button']}`} onClick={() => run(download)}>
        <Download className="i" aria-hidden="true" />
        {slow ? 'Preparing…' : label}
      </button>
      <span className="sr" role="status">
        {slow ? 'Preparing the file' : ready && `The file ${name} is ready`}
      </span>
    </>
  )
}
