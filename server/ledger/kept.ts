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

/**
 * SQL for whether an account is blocked, by an operator or for a contested payment. A deleted account may not call either;
 * it is blocked if it was when it was deleted, or was contested since. @param user name or alias of the table of users
 */
export const isBlocked = (user: string) =>
  `(not ${user}.can_call and (${user}.deleted_at is null or ${user}.blocked_reason is not null))`

export const awaitsReview = (payment: string) => `(${payment}.held > 0 and ${payment}.released_at is null)`
