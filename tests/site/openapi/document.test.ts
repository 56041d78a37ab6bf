import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { type DocumentedOperation, openApiDocument } from '#lib/openapi/document.ts'
import { commonErrorDescriptions, errorDescriptions } from '#lib/openapi/error-descriptions.ts'
import { fieldTexts } from '#lib/openapi/field-texts.ts'
import { operationGroups } from '#lib/openapi/operations.ts'
import type { JsonSchema } from '#lib/openapi/schema.ts'
import { readerOf } from './reader.ts'

const document = openApiDocument()
const operations = Object.values(document.paths).flatMap(methods => Object.values(methods))

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
  expect(errors).toBeUndefined()
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('every reference leads somewhere', () => {
  const text = JSON.stringify(document)
  const names = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
  expect(names.length).toBeGreaterThan(100)
  const components: Readonly<Record<string, object>> = document.components
  for (const [ref, kind = '', name = ''] of names)
    expect(Object.hasOwn(components[kind] ?? {}, name), ref).toBe(true)
})

test('operations are named once, as clients that are generated have them', () => {
  const names = operations.map(({ operationId }) => operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBe(operationGroups.flatMap(group => Object.keys(group.operations)).length)
  // A name that changes breaks other people's programs.
  expect(names.toSorted()).toMatchInlineSnapshot(`
    [
      "addPasskey",
      "album",
      "billing",
      "buyGift",
      "call",
      "callQuality",
      "callReceipt",
      "callTotals",
      "calls",
      "cancelEmailChange",
      "changeCaps",
      "changeContact",
      "changeEmail",
      "changeName",
      "changePassword",
      "checkResetLink",
      "claimCall",
      "confirmAuthenticator",
      "confirmEmailChange",
      "contacts",
      "countryRate",
      "createCheckoutSession",
      "deleteAccount",
      "deleteContact",
      "devices",
      "exportData",
      "feedback",
      "forgotPassword",
      "getProfile",
      "getSecurity",
      "getSpending",
      "heardAbout",
      "importContacts",
      "lineCheckToken",
      "lockCountries",
      "login",
      "logout",
      "makeRecoveryCodes",
      "markFavourite",
      "me",
      "numberRate",
      "passkeySignIn",
      "payment",
      "ratesCsv",
      "ratesJson",
      "receipt",
      "referrals",
      "refreshToken",
      "refundOffer",
      "register",
      "removeAuthenticator",
      "removeCallerId",
      "removePasskey",
      "removeSavedCard",
      "requestRefund",
      "requestVerification",
      "resendVerification",
      "resetPassword",
      "saveContact",
      "searchCalls",
      "secondFactorCode",
      "sentGifts",
      "signOutDevice",
      "signOutOthers",
      "site",
      "startAuthenticator",
      "startPasskey",
      "startPasskeySignIn",
      "startSecondFactor",
      "support",
      "tariffCsv",
      "testCall",
      "testCallToken",
      "toggleAutoTopUp",
      "transfers",
      "verificationStatus",
      "verifiedCallerIds",
      "verifyEmail",
      "voiceToken",
    ]
  `)
})

/** All schemas with properties below a part of the document, each with where it stands. */
function* objectsIn(part: unknown, at: string): Generator<[at: string, schema: JsonSchema]> {
  if (typeof part !== 'object' || part === null) return
  if ('properties' in part && !at.includes('/allOf/')) yield [at, part as JsonSchema]
  for (const [name, value] of Object.entries(part)) yield* objectsIn(value, `${at}/${name}`)
}

test('every field and every parameter says what it means', () => {
  const mute = [...objectsIn(document, '')].flatMap(([at, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, { description }]) => description === undefined)
      .map(([field]) => `${at}/${field}`),
  )
  const parameters = operations.flatMap(({ parameters = [], operationId }) =>
    parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
  )
  expect([...mute, ...parameters]).toEqual([])
})

test('has no text left for a field that is gone', () => {
  const text = JSON.stringify(document)
  const idle = Object.entries(fieldTexts).filter(([, [about]]) => !text.includes(JSON.stringify(about)))
  expect(idle).toEqual([])
})

test('every code that the contract names is explained', () => {
  const codes = operationGroups.flatMap(({ operations: group }) =>
    Object.values(group).flatMap(one => (one.kind === 'file' ? [] : Object.keys(one.endpoint.errors))),
  )
  expect(codes.length).toBeGreaterThan(30)
  expect(codes.filter(code => !errorDescriptions[code])).toEqual([])
  expect(Object.keys(errorDescriptions).filter(code => !codes.includes(code))).toEqual([])
  expect(Object.keys(document.components.responses)).toHaveLength(Object.keys(commonErrorDescriptions).length)
})

test('every example is what its schema says', () => {
  const contents = operations.flatMap(operation => [
    ...Object.values(operation.requestBody?.content ?? {}),
    ...answersOf(operation).flatMap(answer => Object.values(answer.content ?? {})),
  ])
  const written = contents.filter(({ example }) => example !== undefined)
  expect(written.length).toBeGreaterThan(50)
  const parameters = operations.flatMap(({ parameters = [] }) => parameters)
  for (const { schema, example } of [...written, ...parameters]) {
    if (schema === undefined) continue
    const { error } = readerOf(document, schema).safeParse(example)
    expect(error, JSON.stringify({ schema, example })).toBeUndefined()
  }
})

function answersOf({ responses }: DocumentedOperation) {
  return Object.values(responses).filter(answer => 'description' in answer)
}
