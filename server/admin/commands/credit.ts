import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { type Command, missingReason, unknownAccount, usdPattern } from './command.ts'

export const creditCommand: Command = {
  name: 'credit',
  synopsis: 'credit <email> <usd> --reason "<why>"',
  does: 'Credits an account, up to 4000 USD, to the cent',
  read({ words: [email, usd, ...rest], reason, request, actor }) {
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
