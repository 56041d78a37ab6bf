import type { ErrorBody } from '#lib/api/errors.ts'
import { buyGift } from '#lib/api/gifts.ts'
import { localPath } from '#lib/i18n/path.ts'
import { isGiftAmount, maxGiftUsd, minGiftUsd } from '#lib/money/gifts.ts'
import { dollarsText } from '#lib/money/money.ts'
import { authorised } from '#session/api.ts'
import { go } from '#session/navigation.ts'
import { rememberReturnPathFor } from '#session/return-path.ts'
import { $session, start } from '#session/session.ts'
import { redirectWithToast } from '#session/toasts.ts'
import { checkout } from '#shared/checkout/texts.ts'
import { faultAbout, faultOf } from '#ui/check.ts'
import type { Draft } from './draft.ts'
import { texts } from './texts.ts'

const page = '/send-a-line'
const fields = ['amount', 'toName', 'fromName', 'message', 'recipientEmail'] as const
export type GiftField = (typeof fields)[number]
export type Faults = Readonly<Record<GiftField, string | null>>

export const noFaults: Faults = {
  amount: null,
  toName: null,
  fromName: null,
  message: null,
  recipientEmail: null,
}

/** The fault of one field as typed; null when it is valid. */
export function faultIn(field: GiftField, value: string): string | null {
  const { shape } = buyGift.body
  switch (field) {
    case 'amount':
      return isGiftAmount(Number(value)) && value.trim() !== ''
        ? null
        : texts.amountFault({ min: dollarsText(String(minGiftUsd)), max: dollarsText(String(maxGiftUsd)) })
    case 'toName':
      return faultOf(shape.toName, value) === null ? null : nameFault(value, texts.toFault, shape.toName)
    case 'fromName':
      return faultOf(shape.fromName, value) === null
        ? null
        : nameFault(value, texts.fromFault, shape.fromName)
    case 'message':
      return faultOf(shape.message, value)
    case 'recipientEmail':
      return value.trim() === '' ? null : faultOf(shape.recipientEmail, value)
    default:
      return field satisfies never
  }
}

function nameFault(value: string, empty: string, schema: typeof buyGift.body.shape.toName): string | null {
  return value.trim() === '' ? empty : faultOf(schema, value)
}

export function faultsIn(draft: Draft): Faults {
  return Object.fromEntries(fields.map(field => [field, faultIn(field, draft[field])])) as Faults
}

export type Sent =
  /** The browser is leaving the page. */
  | { readonly kind: 'leaving' }
  | { readonly kind: 'faults'; readonly faults: Faults }
  | { readonly kind: 'failed'; readonly message: string }

/** Opens the checkout of a valid draft. Visitors are sent to sign up, and find what they wrote when they come back. */
export async function sendGift(draft: Draft): Promise<Sent> {
  await start()
  if ($session.get().status !== 'signed_in') return signInFirst('/register', texts.signUp)
  const email = draft.recipientEmail.trim()
  const result = await authorised(buyGift, {
    body: {
      amount: Number(draft.amount),
      fromName: draft.fromName,
      toName: draft.toName,
      message: draft.message,
      recipientEmail: email === '' ? null : email,
    },
  })
  if (result.ok) {
    go(result.value.url)
    return { kind: 'leaving' }
  }
  if (result.status === 401) return signInFirst('/login', result.message)
  const faults = faultsFrom(result.body)
  if (faults !== null) return { kind: 'faults', faults }
  return { kind: 'failed', message: result.status === 0 ? checkout.failed : result.message }
}

function faultsFrom(body: ErrorBody | null): Faults | null {
  const faults = Object.fromEntries(fields.map(field => [field, faultAbout(field, body)])) as Faults
  return fields.some(field => faults[field] !== null) ? faults : null
}

function signInFirst(path: string, message: string): Sent {
  rememberReturnPathFor(localPath(page))
  redirectWithToast(localPath(path), { type: 'info', message })
  return { kind: 'leaving' }
}
