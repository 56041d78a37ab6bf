import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Told } from '#stores/billing.ts'
import { showToast } from '#stores/toasts.ts'
import { useBusy } from '../submit-button/useBusy.ts'
import styles from './csv-button.module.css'
import { saveCsv } from './save-csv.ts'

export interface CsvButtonProps {
  /** What is pressed. */
  readonly label: string
  /** Of the file. */
  readonly name: string
  /** The text of the file, or why there is none. */
  readonly load: () => Promise<Told<string>>
}

/** Hands over a list as a file, and says so to those who do not see it come. */
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
