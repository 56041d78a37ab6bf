import * as z from 'zod/mini'
import { billingLine } from '../api/billing.ts'
import { verifiedCallerId } from '../api/caller-id.ts'
import { callRecord } from '../api/calls.ts'
import { contact } from '../api/contacts.ts'
import { errorBody } from '../api/errors.ts'
import { giftRecord } from '../api/gifts.ts'
import { user } from '../api/me.ts'
import { paymentState, receiptRecord } from '../api/payments.ts'
import { profile } from '../api/profile.ts'
import { publicRates } from '../api/public-rates.ts'
import { referralRecord } from '../api/referrals.ts'
import { changedSecurity, security } from '../api/second-factor.ts'
import { spending } from '../api/spending.ts'
import { voiceRoute } from '../api/token.ts'
import { transferRecord } from '../api/transfers.ts'
import { fieldTexts } from './field-texts.ts'

/** JSON Schema of OpenAPI 3.1 (draft 2020-12), limited to what the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly description?: string
  readonly [keyword: string]: unknown
}

const named = z.registry<{ id: string }>()
const components: readonly (readonly [id: string, schema: z.ZodMiniType])[] = [
  ['Security', security],
  ['ChangedSecurity', changedSecurity],
  ['PublicRates', publicRates],
  ['User', user],
  ['Profile', profile],
  ['Call', callRecord],
  ['Spending', spending],
  ['VoiceRoute', voiceRoute],
  ['Contact', contact],
  ['VerifiedNumber', verifiedCallerId],
  ['Payment', paymentState],
  ['Receipt', receiptRecord],
  ['Transfer', transferRecord],
  ['BillingLine', billingLine],
  ['Referral', referralRecord],
  ['Booklet', giftRecord],
  ['Error', errorBody],
]
for (const [id, schema] of components) named.add(schema, { id })

const home = '#/components/schemas/'

export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    components.map(([id, schema]) => {
      const { $defs } = z.toJSONSchema(schema, { io: 'output', metadata: named }) as {
        $defs: Record<string, JsonSchema>
      }
      return [id, tidy($defs[id] ?? {}, [id])]
    }),
  )
}

/** @param owner operation id and part, such as `calls`, `query` */
export function schemaOf(
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  owner: readonly string[],
): JsonSchema {
  const { $schema: _dialect, $defs: _components, ...own } = z.toJSONSchema(schema, { io, metadata: named })
  return tidy(own as JsonSchema, owner)
}

/** Keys into `fieldTexts`, most specific first. */
function namesOf(owner: readonly string[], field: string): readonly string[] {
  const [operation] = owner
  return [
    ...owner.map((_, index) => [...owner.slice(index), field].join('.')),
    ...(operation === undefined ? [] : [`${operation}.${field}`]),
    field,
  ]
}

function fieldTextOf(owner: readonly string[], field: string): readonly [string, unknown] | undefined {
  const name = namesOf(owner, field).find(candidate => Object.hasOwn(fieldTexts, candidate))
  return name === undefined ? undefined : fieldTexts[name]
}

/**
 * Adds descriptions and removes what only zod needs: a pattern next to a format, the max safe integer as a limit, and
 * `additionalProperties: false`, since replies may gain fields.
 */
function tidy(schema: JsonSchema, owner: readonly string[]): JsonSchema {
  const { pattern, allOf, additionalProperties: _closed, maximum, ...rest } = schema
  const own: Record<string, unknown> = { ...rest }
  if (pattern !== undefined && schema.format === undefined) own['pattern'] = pattern
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) own['maximum'] = maximum
  // The only `allOf` of the contract is a date-time with an extra check; zod's pattern for it is long.
  if (allOf !== undefined) own['format'] = 'date-time'
  if (schema.$ref !== undefined) own['$ref'] = schema.$ref.replace('#/$defs/', home)
  if (schema.items !== undefined) own['items'] = tidy(schema.items, owner)
  for (const choice of ['anyOf', 'oneOf'] as const) {
    if (schema[choice] !== undefined) own[choice] = schema[choice].map(part => tidy(part, owner))
  }
  if (schema.properties !== undefined) {
    own['properties'] = Object.fromEntries(
      Object.entries(schema.properties).map(([field, part]) => {
        const description = fieldTextOf(owner, field)?.[0]
        const described = tidy(part, [...owner, field])
        return [field, description === undefined ? described : { ...described, description }]
      }),
    )
  }
  return own
}

/** @param all the components, for references */
export function exampleOf(
  schema: JsonSchema,
  all: Readonly<Record<string, JsonSchema>>,
  owner: readonly string[],
): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(home.length)
    return exampleOf(all[name] ?? {}, all, [name])
  }
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice !== undefined) return exampleOf(choice, all, owner)
  if (schema.items !== undefined) return [exampleOf(schema.items, all, owner)]
  if (schema.properties === undefined) return schema.enum?.[0] ?? null
  const fields = Object.entries(schema.properties).flatMap(([field, part]) => {
    const written = fieldTextOf(owner, field)?.[1]
    const value = written === undefined ? exampleOf(part, all, [...owner, field]) : written
    const needed = schema.required?.includes(field) ?? false
    return needed || value !== null ? [[field, value] as const] : []
  })
  return Object.fromEntries(fields)
}
