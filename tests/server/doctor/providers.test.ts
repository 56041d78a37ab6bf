import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { findRate } from '#lib/money/tariff.ts'
import { checkGoogle } from '#server/doctor/google.ts'
import { checkPrices } from '#server/doctor/prices.ts'
import { apiVersion } from '#server/payment-provider/stripe/client.ts'
import { checkStripe } from '#server/payment-provider/stripe/doctor.ts'
import { eventTypes } from '#server/payment-provider/stripe/events.ts'
import { systemClock } from '#server/process/clock.ts'
import { readCosts } from '#server/tariff/costs-file.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { checkCountries } from '#server/telephony/twilio/countries-doctor.ts'
import { voiceUrlOf } from '#server/telephony/twilio/dialling-permissions.ts'
import { checkTwilio } from '#server/telephony/twilio/doctor.ts'
import { startFakeTwilio } from '#support/fake-twilio/fake-twilio.ts'
import { findFreePort } from '#support/test-server.ts'
import { found } from './examine.ts'

const publicUrl = 'https://farline.example.net'
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

/** Somebody on a loopback port who answers. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const secretKey = 'sk_test_51OnLoopbackOnly'

/** What Stripe's own list of webhook endpoints would be found to be, or its rejection. */
async function stripe(
  answer: Partial<Stripe.WebhookEndpoint>[] | { status: number; type: string },
  { production = false, key = secretKey } = {},
): Promise<string[]> {
  const port = await serve((request, response) => {
    expect(request.url).toBe('/v1/webhook_endpoints?limit=100')
    response.setHeader('content-type', 'application/json')
    if (!Array.isArray(answer)) {
      response.statusCode = answer.status
      response.end(JSON.stringify({ error: { type: answer.type, message: `No: ${key}` } }))
      return
    }
    response.end(
      JSON.stringify({ object: 'list', data: answer, has_more: false, url: '/v1/webhook_endpoints' }),
    )
  })
  const address = { host: '127.0.0.1', port, protocol: 'http' } as const
  return found(checkStripe({ secretKey: key, address }, { publicUrl, production }))
}

const endpoint: Partial<Stripe.WebhookEndpoint> = {
  id: 'we_1',
  object: 'webhook_endpoint',
  url: `${publicUrl}/api/webhooks/stripe`,
  livemode: false,
  status: 'enabled',
  api_version: apiVersion,
  enabled_events: [...eventTypes],
}

test('Stripe: an endpoint that is sent all we need is fine', async () => {
  const fine = [
    'ok: The key is for test money.',
    'ok: The webhook endpoint receives all events that we need, in our version.',
  ]
  expect(await stripe([{ ...endpoint, url: 'https://other.example' }, endpoint])).toEqual(fine)
  expect(await stripe([{ ...endpoint, enabled_events: ['*'] }])).toEqual(fine)
  expect(
    await stripe([{ ...endpoint, livemode: true }], { production: true, key: 'sk_live_51OnLoopbackOnly' }),
  ).toEqual(['ok: The key moves real money.', fine[1]])
})

test('Stripe: what an endpoint lacks is named', async () => {
  const some = eventTypes.filter(type => type !== 'charge.dispute.created')
  const lines = await stripe([
    { ...endpoint, enabled_events: [...some], status: 'disabled', api_version: '2020-08-27' },
  ])
  expect(lines.slice(1)).toEqual([
    'problem: The webhook endpoint is switched off.',
    'problem: The webhook endpoint does not receive charge.dispute.created.',
    `warning: The webhook endpoint uses API version 2020-08-27; Farline needs ${apiVersion}.`,
  ])
  expect((await stripe([{ ...endpoint, livemode: true }]))[1]).toMatch(
    /^warning: No webhook endpoint is set up/,
  )
  const production = await stripe([], { production: true })
  expect(production[0]).toBe('warning: The key is for test money: nobody can pay.')
  expect(production[1]).toMatch(/^problem: No webhook endpoint is set up/)
})

test('Stripe: a rejected key, one without the right to look, and a Stripe that is away, without a part of the key', async () => {
  const answers = [
    await stripe({ status: 401, type: 'invalid_request_error' }),
    await stripe({ status: 403, type: 'invalid_request_error' }),
  ]
  expect(answers[0]).toEqual(['problem: Stripe does not accept the key.'])
  expect(answers[1]?.[1]).toMatch(/^warning: The key is accepted, but may not read webhook endpoints/)
  const address = { host: '127.0.0.1', port: await findFreePort(), protocol: 'http' } as const
  const away = await found(checkStripe({ secretKey, address }, { publicUrl, production: false }))
  expect(away).toEqual(['problem: Stripe did not answer (StripeConnectionError).'])
  expect(JSON.stringify(answers)).not.toContain('Loopback')
})

test('Google: the issuer answers as itself, as another, or not at all', async () => {
  let name = ''
  const port = await serve((request, response) => {
    const known = request.url === '/.well-known/openid-configuration'
    response.writeHead(known ? 200 : 404).end(JSON.stringify({ issuer: name }))
  })
  const issuer = `http://127.0.0.1:${port}`
  const google = () => found(checkGoogle({ issuer, clientId: 'id', clientSecret: 'hunter2' }, publicUrl))
  name = issuer
  expect(await google()).toEqual([
    `ok: ${issuer} answers. Its client must list this redirect address: ${publicUrl}/api/auth/google/callback`,
  ])
  name = 'https://accounts.example'
  expect(await google()).toEqual([expect.stringMatching(/^problem: .* not as an issuer of that name/)])
  servers[0]?.close()
  servers[0]?.closeAllConnections()
  expect(await google()).toEqual([expect.stringContaining(`problem: ${issuer} does not answer (`)])
  servers.length = 0
})

test('Twilio: an account, an application and a number that are as they should be', async () => {
  const fake = await startFakeTwilio({ clock: systemClock, publicUrl, appStatus: true, fallback: true })
  expect(await found(checkTwilio(fake.settings, publicUrl))).toEqual([
    'ok: The account is active and accepts the auth token. Twilio does not say whether it is the primary token.',
    'ok: The balance is 25.40 USD.',
    'ok: The API key works, and the application calls this server.',
    `ok: The account has the number ${fake.settings.publicNumber}, with voice.`,
    `ok: The account has the number ${fake.settings.eeaNumber}, with voice.`,
  ])
  expect(fake.faults).toEqual([])

  const wrong = async (settings: Partial<typeof fake.settings>, url = publicUrl) =>
    (await found(checkTwilio({ ...fake.settings, ...settings }, url))).filter(line => !line.startsWith('ok'))
  expect(await wrong({ authToken: 'hunter2' })).toEqual([
    'problem: Twilio does not accept the auth token of this account.',
  ])
  const number = fake.settings.publicNumber
  expect(await wrong({ apiSecret: 'hunter2' })).toEqual([
    'problem: Twilio does not accept the API key.',
    `warning: The number ${number} was not checked: Twilio answers 401.`,
    `warning: The number ${fake.settings.eeaNumber} was not checked: Twilio answers 401.`,
  ])
  expect(await wrong({ appSid: `AP${'0'.repeat(32)}` })).toEqual([
    'problem: The account has no such TwiML application.',
  ])
  expect(await wrong({ publicNumber: '+14155550199' })).toEqual([
    'problem: The account does not have the number +14155550199: calls from it are rejected.',
  ])
  expect(await found(checkTwilio({ ...fake.settings, eeaNumber: '+46846500499' }, undefined))).toEqual([
    ...[expect.stringMatching(/^ok: The account is active/), expect.stringMatching(/^ok: The balance/)],
    'warning: The API key works. Whether the application calls this server was not checked.',
    `ok: The account has the number ${number}, with voice.`,
    'problem: The account does not have the number +46846500499: calls from it are rejected.',
  ])
  expect(await wrong({}, 'https://moved.example')).toEqual([
    `problem: The application calls ${publicUrl}/api/webhooks/twilio/voice by POST: no call reaches us.`,
    `problem: The application's voice fallback is ${publicUrl}/api/webhooks/twilio/voice by POST.`,
    `problem: The application's status callback is ${publicUrl}/api/webhooks/twilio/status by POST.`,
  ])
  Object.assign(fake.application, { voice_fallback_method: 'GET', status_callback_method: 'GET' })
  fake.balance = '-0.35'
  expect(await wrong({})).toEqual([
    'problem: The balance is -0.35 USD: calls cannot be placed.',
    `problem: The application's voice fallback is ${publicUrl}/api/webhooks/twilio/voice by GET.`,
    `problem: The application's status callback is ${publicUrl}/api/webhooks/twilio/status by GET.`,
  ])
  await fake.close()
  expect(await wrong({})).toEqual([expect.stringContaining('problem: Twilio does not answer (')])
})

test('Twilio: an application without a fallback or a status callback is a warning', async () => {
  const fake = await startFakeTwilio({ clock: systemClock, publicUrl })
  expect((await found(checkTwilio(fake.settings, publicUrl))).slice(2, 4)).toEqual([
    expect.stringMatching(/^warning: The application has no voice fallback/),
    expect.stringMatching(/^warning: The application has no status callback/),
  ])
  await fake.close()
})

describe('Twilio: what the account may call', () => {
  const tariff = readTariff()
  const countries = (fake: Awaited<ReturnType<typeof startFakeTwilio>>) =>
    found(checkCountries(fake.settings, tariff), 30_000)

  test('is what we sell, and nothing of high risk', async () => {
    const fake = await startFakeTwilio({ clock: systemClock, publicUrl })
    expect(await countries(fake)).toEqual([
      `ok: The account may call the ${tariff.byIso.size} countries that we sell, and no other.`,
      'ok: High-risk special services and toll-fraud numbers are off everywhere.',
      'ok: No number that we sell is a high-risk special service at Twilio.',
    ])
    expect(fake.faults).toEqual([])
    await fake.close()
  })

  test('is compared with the tariff, country by country, flag by flag and prefix by prefix', async () => {
    const fake = await startFakeTwilio({ clock: systemClock, publicUrl })
    const { dialling } = fake
    dialling.permission('DE').low = false
    // Canada has no entry of its own: it is called by that of the United States.
    dialling.permission('US').low = false
    dialling.permission('LV').special = true
    dialling.permission('CU').tollFraud = true
    dialling.permissions.set('KP', { ...dialling.permission('FR'), name: 'North Korea', codes: ['+850'] })
    dialling.permission('LV').highRiskPrefixes.push('+37181', '+3712 (00)', '+3719000')
    const sold = ['37181', '371200', '3719000'].filter(prefix => findRate(tariff, prefix) !== undefined)
    expect(sold).toEqual(['371200'])
    expect(await countries(fake)).toEqual([
      'problem: The account may not call Canada, Germany, United States, which we sell: calls there fail.',
      'warning: The account may call North Korea, which we do not sell.',
      'warning: The account may call high-risk special services in Latvia.',
      'warning: The account may call numbers known for toll fraud in Cuba.',
      'warning: Numbers that begin with +371200 are in our tariff, but Twilio counts them as high-risk special services.',
    ])
    await fake.close()
  })

  test('a list of several pages is read whole, and of a long one some are named', async () => {
    const fake = await startFakeTwilio({ clock: systemClock, publicUrl })
    const { dialling } = fake
    dialling.permission('LV').highRiskPrefixes = Array.from(
      { length: 1500 },
      (_, nth) => `+3712${String(nth).padStart(4, '0')}`,
    )
    for (const one of dialling.permissions.values()) one.low = false
    const [closed, , prefixes] = await countries(fake)
    expect(closed).toMatch(/^problem: The account may not call Afghanistan, .* and \d+ more, which we sell/)
    expect(prefixes).toContain('+37120000, +37120001')
    expect(prefixes).toContain('and 1492 more')
    await fake.close()
  })

  test('is not reported where it may not be asked, or nobody answers', async () => {
    const fake = await startFakeTwilio({ clock: systemClock, publicUrl })
    const wrong = { ...fake.settings, authToken: 'hunter2' }
    expect(await found(checkCountries(wrong, tariff), 30_000)).toEqual([
      'warning: Twilio did not say which countries the account may call (401).',
    ])
    await fake.close()
    expect(await countries(fake)).toEqual([expect.stringContaining('problem: Twilio does not answer (')])
  })

  test.each([
    ['https://api.twilio.com', 'https://voice.twilio.com'],
    ['https://api.dublin.ie1.twilio.com', 'https://voice.dublin.ie1.twilio.com'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    ['https://api.example.com', 'https://api.example.com'],
  ])('is asked of the host that belongs to %s', (apiUrl, voiceUrl) => {
    expect(voiceUrlOf(apiUrl)).toBe(voiceUrl)
  })
})

test('Prices: a number of ours in the EEA keeps calls there at the listed price', async () => {
  const tools = { tariff: readTariff(), costs: readCosts() }
  const prices = (...publicNumbers: readonly string[]) =>
    found(checkPrices({ ...tools, telephony: { publicNumbers } }, 'Buy a number there.'))
  expect(await prices('+14155550100', '+46846500400')).toEqual([
    'ok: Calls that show a public number cost what the price list says, and never less than they cost us.',
  ])
  expect(await prices('+14155550100')).toEqual([
    expect.stringMatching(
      /^problem: With \+14155550100 calls cost more than the price list says: .*\$0\.\d{3} instead of \$0\.\d{3}.* and \d+ more\.$/,
    ),
  ])
})
