import type { CheckoutView } from '#lib/api/local-checkout.ts'
import { company } from '#lib/company.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { Modal } from '#ui/Modal.tsx'
import { dollars } from './Order.tsx'
import type { Bank } from './use-authentication.ts'

/** The simulated 3-D Secure challenge. Closing it counts as a rejection. */
export function Authentication({ view, bank }: { readonly view: CheckoutView; readonly bank: Bank }) {
  return (
    <Modal labelledBy="bank-title" onClose={() => bank.answer(false)}>
      <header>
        <h2 id="bank-title">Specimen Bank</h2>
        <b className="specimen">Specimen</b>
      </header>
      <div className="in">
        <p>
          {company.name} asks for <b className="num">{dollars(view.amount)}</b> from the card ending{' '}
          {view.last4}. Was this you?
        </p>
        <FormNote message={bank.failure} />
      </div>
      <footer>
        <button type="button" className="btn" onClick={() => bank.answer(false)}>
          Refuse
        </button>
        <button type="button" className="btn primary" onClick={() => bank.answer(true)}>
          {bank.slow ? 'Asking the bank…' : 'Approve'}
        </button>
      </footer>
    </Modal>
  )
}
