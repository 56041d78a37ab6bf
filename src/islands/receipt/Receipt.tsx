import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { company } from '#lib/company.ts'
import { $receipt, openReceipt } from '#stores/receipt.ts'
import { Paper } from './Paper.tsx'
import { ReceiptPage } from './ReceiptPage.tsx'

/** The receipt that the address names, ready to print. */
export function Receipt() {
  const shown = useStore($receipt)
  useEffect(() => {
    void openReceipt()
  }, [])
  useEffect(() => {
    // Back from another page, the browser may bring this one from its memory, without the receipt after a logout.
    const refreshEmpty = (event: PageTransitionEvent) => {
      if (event.persisted && $receipt.get().state !== 'ready') void openReceipt()
    }
    window.addEventListener('pageshow', refreshEmpty)
    return () => window.removeEventListener('pageshow', refreshEmpty)
  }, [])
  const number = shown.state === 'ready' ? shown.receipt.number : null
  // A print is named by the page's title.
  useEffect(() => {
    if (number === null) return
    const before = document.title
    document.title = `Receipt ${number} · ${company.name}`
    return () => {
      document.title = before
    }
  }, [number])
  return (
    <ReceiptPage
      shown={shown}
      list={{ href: '/billing-history', label: 'Billing history' }}
      missing="There is no receipt of yours at this address. All of them are in your billing history."
      onRetry={openReceipt}
    >
      {shown.state === 'ready' && <Paper receipt={shown.receipt} />}
    </ReceiptPage>
  )
}
