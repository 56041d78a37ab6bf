import { callReceipt as receiptEndpoint } from '#lib/api/calls.ts'
import { authorised } from '#session/api.ts'
import { createReceiptStore } from './shown-receipt.ts'

export const {
  $state: $callReceipt,
  open: openCallReceipt,
  load: refreshCallReceipt,
} = createReceiptStore(id => authorised(receiptEndpoint, { params: { id } }))
