import { receipt as receiptEndpoint } from '#lib/api/payments.ts'
import { authorised } from './api.ts'
import { createReceiptStore } from './shown-receipt.ts'

/** The receipt of the payment that the address names. */
export const { $shown: $receipt, open: openReceipt } = createReceiptStore(id =>
  authorised(receiptEndpoint, { params: { id } }),
)
