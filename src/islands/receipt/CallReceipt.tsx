import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { ClaimCall } from '#shared/call-claim/ClaimCall.tsx'
import { supportPath } from '#shared/calls/call-receipt.ts'
import { $formatNumber, loadNumberFormat } from '#shared/numbers/number-format.ts'
import { AskSupport } from './AskSupport.tsx'
import { CallReceiptSheet } from './CallReceiptSheet.tsx'
import { $callReceipt, openCallReceipt, refreshCallReceipt } from './call-receipt-store.ts'
import { callReceipt } from './call-receipt-texts.ts'
import { ReceiptPage } from './ReceiptPage.tsx'

export function CallReceipt() {
  const shown = useStore($callReceipt, { ssr: 'initial' })
  const { format } = useStore($formatNumber, { ssr: 'initial' })
  useEffect(() => {
    void openCallReceipt()
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  useEffect(() => {
    // After a logout, the back/forward cache may bring the page back without its receipt.
    const refreshEmpty = (event: PageTransitionEvent) => {
      if (event.persisted && $callReceipt.get().state !== 'ready') void openCallReceipt()
    }
    window.addEventListener('pageshow', refreshEmpty)
    return () => window.removeEventListener('pageshow', refreshEmpty)
  }, [])
  const receipt = shown.state === 'ready' ? shown.value : null
  const number = receipt === null ? '' : format(receipt.call.to, receipt.call.isoCode)
  // Browsers name a print after the page's title.
  useEffect(() => {
    if (number === '') return
    const before = document.title
    document.title = callReceipt.documentTitle({ number, company: company.name })
    return () => {
      document.title = before
    }
  }, [number])
  return (
    <ReceiptPage
      title={callReceipt.title}
      shown={shown}
      list={{ href: localPath('/call-history'), label: callReceipt.history }}
      missing={callReceipt.missing}
      onRetry={openCallReceipt}
    >
      {receipt !== null && (
        <>
          <CallReceiptSheet receipt={receipt} number={number} />
          <ClaimCall receipt={receipt} onClaimed={() => void refreshCallReceipt()} />
          {receipt.claim === null && <AskSupport about="call" href={supportPath(receipt.call.id)} />}
        </>
      )}
    </ReceiptPage>
  )
}
