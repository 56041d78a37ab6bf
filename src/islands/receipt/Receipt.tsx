import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { company } from '#lib/company.ts'
import { AskSupport } from './AskSupport.tsx'
import { PaymentReceipt } from './PaymentReceipt.tsx'
import { $receipt, openReceipt } from './payment-receipt-store.ts'
import { ReceiptPage } from './ReceiptPage.tsx'

export function Receipt() {
  const shown = useStore($receipt, { ssr: 'initial' })
  useEffect(() => {
    void openReceipt()
  }, [])
  useEffect(() => {
    // After a logout, the back/forward cache may bring the page back without its receipt.
    const refreshEmpty = (event: PageTransitionEvent) => {
      if (event.persisted && $receipt.get().state !== 'ready') void openReceipt()
    }
    window.addEventListener('pageshow', refreshEmpty)
    return () => window.removeEventListener('pageshow', refreshEmpty)
  }, [])
  const receipt = shown.state === 'ready' ? shown.value : null
  const number = receipt?.number ?? null
  // Browsers name a print after the page's title.
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
      title="Receipt"
      shown={shown}
      list={{ href: '/billing-history', label: 'Billing history' }}
      missing="We can't find this receipt in your account. All your receipts are in your billing history."
      onRetry={openReceipt}
    >
      {receipt !== null && (
        <>
          <PaymentReceipt receipt={receipt} />
          <AskSupport about="payment" href={`/support?payment=${idInAddress()}`} />
        </>
      )}
    </ReceiptPage>
  )
}

function idInAddress(): string {
  return encodeURIComponent(new URL(window.location.href).searchParams.get('id') ?? '')
}
