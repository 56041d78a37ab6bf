import { receipt as receiptEndpoint } from '#lib/api/payments.ts'
import { authorised } from '#session/api.ts'
import { createReceiptStore } from './shown-receipt.ts'

export const { $state: $receipt, open: openReceipt } = createReceiptStore(id =>
  authorised(receiptEndpoint, { params: { id } }),
)
