/**
 * SQL for what stays paid, in micro-dollars: without refunds, except failed ones, and disputes, except won ones.
 * Negative if a bank took back what we had refunded. @param payment name or alias of the table of payments
 */
export const keptOf = (payment: string) => `(${payment}.amount
  - (select coalesce(sum(amount), 0) from refund where payment_id = ${payment}.id and state <> 'failed')
  - (select coalesce(sum(amount), 0) from dispute where payment_id = ${payment}.id and state <> 'won'))::bigint`

/** SQL for whether a payment is uncontested: no fraud warning and no dispute, except won ones. */
export const isUncontested = (payment: string) => `(
  not exists (select 1 from dispute where payment_id = ${payment}.id and state <> 'won')
  and not exists (select 1 from fraud_warning where payment_id = ${payment}.id))`

export const awaitsReview = (payment: string) => `(${payment}.held > 0 and ${payment}.released_at is null)`
