import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { AskSupport } from './AskSupport.tsx'
import { PaymentReceipt } from './PaymentReceipt.tsx'
import { $receipt, openReceipt } from './payment-receipt-store.ts'
import { paymentReceipt } from './payment-receipt-texts.ts'
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
    document.title = paymentReceipt.documentTitle({ number, company: company.name })
    return () => {
      document.title = before
    }
  }, [number])
  return (
    <ReceiptPage
      title={paymentReceipt.title}
      shown={shown}
      list={{ href: localPath('/billing-history'), label: paymentReceipt.billing }}
      missing={paymentReceipt.missing}
      onRetry={openReceipt}
    >
      {receipt !== null && (
        <>
          <PaymentReceipt receipt={receipt} />
          <AskSupport about="payment" href={localPath(`/support?payment=${idInAddress()}`)} />
        </>
      )}
    </ReceiptPage>
  )
}

function idInAddress(): string {
  return encodeURIComponent(new URL(window.location.href).searchParams.get('id') ?? '')
}
