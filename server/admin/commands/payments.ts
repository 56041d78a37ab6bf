import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { uuidPattern } from '#lib/uuid.ts'
import { type Command, missingReason, onlyArgument, unknownAccount, usdPattern } from './command.ts'

export const creditCommand: Command = {
  name: 'credit',
  synopsis: 'credit <email> <usd> --reason "<why>"',
  does: 'Credits an account, up to 4000 USD, to the cent',
  read({ args: [email, usd, ...rest], reason, request, actor }) {
    if (email === undefined || usd === undefined || rest.length > 0 || !usdPattern.test(usd)) return undefined
    const requestId = request ?? randomUUID()
    const amountMicroUsd = usdToMicroUsd(Number(usd))
    const body = { requestId, email, amountMicroUsd, reason, actor }
    return { path: '/credit', body, requestId, uncertainty: 'whether it credited' }
  },
  format(value, { body }) {
    const balance = formatBalance(z.parse(z.number(), value))
    return `Credited ${formatBalance(Number(body.amountMicroUsd))} to ${body.email}. The balance is ${balance}.`
  },
  errorTexts: {
    unknown_account: unknownAccount,
    invalid_amount: 'The amount must be more than 0 and at most 4000 USD.',
    missing_reason: missingReason,
    request_used:
      'That --request belongs to another account or amount. Leave it out to make a new adjustment.',
  },
}

const unknownPayment = 'No such payment, or it was not paid. List them with: payments <email>'

export const releaseCommand: Command = {
  name: 'release',
  synopsis: 'release <payment> --reason "<why>"',
  does: 'Releases the part of a payment that is under review',
  read(typed) {
    const paymentId = onlyArgument(typed)
    if (paymentId === undefined || !uuidPattern.test(paymentId)) return undefined
    const { reason, actor } = typed
    return {
      path: '/release',
      body: { paymentId, reason, actor },
      uncertainty: 'whether it released; look with: payments <email>',
    }
  },
  format(value) {
    return `Released. The balance has grown by ${formatBalance(z.parse(z.number(), value))}.`
  },
  errorTexts: {
    unknown_payment: unknownPayment,
    nothing_held: 'No part of that payment is held for review.',
    missing_reason: missingReason,
  },
}

const refunded = z.object({ amountMicroUsd: z.number(), state: z.enum(['pending', 'succeeded']) })

export const refundCommand: Command = {
  name: 'refund',
  synopsis: 'refund <payment> [<usd>] --reason "<why>"',
  does: 'Refunds the unused part of a payment, or less, to its card',
  read({ args: [paymentId, usd, ...rest], reason, request, actor }) {
    if (paymentId === undefined || !uuidPattern.test(paymentId) || rest.length > 0) return undefined
    if (usd !== undefined && !usdPattern.test(usd)) return undefined
    const requestId = request ?? randomUUID()
    const amountMicroUsd = usd === undefined ? null : usdToMicroUsd(Number(usd))
    const body = { requestId, paymentId, amountMicroUsd, reason, actor }
    return { path: '/refund', body, requestId, uncertainty: 'whether it refunded' }
  },
  format(value) {
    const { amountMicroUsd, state } = z.parse(refunded, value)
    return state === 'succeeded'
      ? `Refunded ${formatBalance(amountMicroUsd)} to the card.`
      : `${formatBalance(amountMicroUsd)} left the balance and is on its way to the card.`
  },
  errorTexts: {
    unknown_payment: unknownPayment,
    missing_reason: missingReason,
    disputed: 'That payment is disputed: the bank decides who gets the money.',
    call_in_progress: 'Its user is in a call. Try again when it is over.',
    too_much: 'That is more than the unused part of the payment. Leave out the amount to refund all of it.',
    nothing_unused: 'That payment is used up: nothing can be refunded.',
    refund_refused: 'The provider rejected the refund. The credits are back in the balance.',
    request_used: 'That --request belongs to another payment or amount. Leave it out to make a new refund.',
  },
}
