import { Dialog } from '#ui/Dialog.tsx'
import type { Imported } from './import-book.ts'
import { importTexts } from './import-texts.ts'

export interface ImportDoneProps {
  readonly imported: Extract<Imported, { readonly kind: 'done' }>
  readonly onClose: () => void
}

export function ImportDone({ imported: { saved, skipped, message }, onClose }: ImportDoneProps) {
  return (
    <Dialog
      title={importTexts.title}
      onClose={onClose}
      footer={
        <button type="button" className="btn primary" onClick={onClose}>
          {importTexts.done}
        </button>
      }
    >
      <div role="status">
        <p>
          <b>{importTexts.saved({ count: saved })}</b>
          {skipped > 0 && ` ${importTexts.skipped({ count: skipped })}`}
        </p>
        {message !== null && <p className="soft">{message}</p>}
      </div>
    </Dialog>
  )
}
