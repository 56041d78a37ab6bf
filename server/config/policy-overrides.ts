import * as z from 'zod/mini'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { defaultAccessTokenSeconds } from '../identity/access-token.ts'
import { defaultCallPolicy, defaultPaymentPolicy, defaultVoiceTokenSeconds } from './policy.ts'

const wholeNumber = (min: number, max: number) => {
  const text = `must be a whole number from ${min} to ${max}`
  return z
    .number(text)
    .check(z.refine(value => Number.isInteger(value) && value >= min && value <= max, text))
}

const fieldsOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `has no field ${issue.keys.join(', ')}, only ${Object.keys(shape).join(', ')}`
        : `must be an object with any of the fields ${Object.keys(shape).join(', ')}`,
  })

const { credit } = defaultCallPolicy
const { checkoutsPerHour, accountsPerCard, referral } = defaultPaymentPolicy

/** Fields that tests of a whole process change, by their names and in their units. Others have their defaults. */
const overrides = fieldsOf({
  accessTokenSeconds: z._default(wholeNumber(10, 3600), defaultAccessTokenSeconds),
  // The voice client renews 10 s before expiry: a shorter life would make it renew without pause.
  voiceTokenSeconds: z._default(wholeNumber(15, 3600), defaultVoiceTokenSeconds),
  credit: z.prefault(fieldsOf({ maxAutomatic: z._default(wholeNumber(0, 100), credit.maxAutomatic) }), {}),
  checkoutsPerHour: z._default(wholeNumber(1, 1000), checkoutsPerHour),
  accountsPerCard: z._default(wholeNumber(1, 100_000), accountsPerCard),
  referral: z.prefault(
    fieldsOf({
      rewardMicroUsd: z._default(wholeNumber(microUsdPerUsd, 1000 * microUsdPerUsd), referral.rewardMicroUsd),
    }),
    {},
  ),
})

/** As a test writes them, before they become JSON. */
export type PolicyOverrides = z.input<typeof overrides>

/** JSON of `PolicyOverrides`. */
export const policyOverrides = z.pipe(
  z.string().check(z.refine(isJson, 'must be JSON such as {"accessTokenSeconds":60}')),
  z.pipe(
    z.transform((text: string): unknown => JSON.parse(text)),
    overrides,
  ),
)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
