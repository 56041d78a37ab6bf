import { Dialog } from '#ui/Dialog.tsx'
import type { Imported } from './import-book.ts'
import { countText } from './import-plan.ts'

export interface ImportDoneProps {
  readonly imported: Extract<Imported, { readonly kind: 'done' }>
  readonly onClose: () => void
}

export function ImportDone({ imported: { saved, skipped, message }, onClose }: ImportDoneProps) {
  return (
    <Dialog
      title="Import contacts"
      onClose={onClose}
      footer={
        <button type="button" className="btn primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <div role="status">
        <p>
          <b>{countText(saved)} saved.</b>
          {skipped > 0 && ` ${countText(skipped)} left out.`}
        </p>
        {message !== null && <p className="soft">{message}</p>}
      </div>
    </Dialog>
  )
}
