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
  const number = shown.state === 'ready' ? shown.receipt.number : null
  // A print is named by the page's title.
  useEffect(() => {
    if (number !== null) document.title = `Receipt ${number} · ${company.name}`
  }, [number])
  return (
    <ReceiptPage
      shown={shown}
      list={{ href: '/billing-history', label: 'Billing history' }}
      missing="There is no receipt of yours at this address. All of them are in your billing history."
      onRetry={() => void openReceipt()}
    >
      {shown.state === 'ready' && <Paper receipt={shown.receipt} />}
    </ReceiptPage>
  )
}
