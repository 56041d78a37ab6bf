import { undocumented } from './rejection.ts'

type Check = (value: string) => boolean

/** An operation's parameters and their valid values. */
export interface Operation {
  readonly required: readonly string[]
  readonly known: Readonly<Record<string, Check>>
}

const oneOf =
  (...values: readonly string[]): Check =>
  value =>
    values.includes(value)
const whole =
  (min: number, max: number): Check =>
  value =>
    /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
const sid =
  (kind: string): Check =>
  value =>
    new RegExp(`^${kind}[0-9a-f]{32}$`).test(value)
const upTo =
  (length: number): Check =>
  value =>
    value.length <= length
export const isE164: Check = value => /^\+[1-9]\d{6,14}$/.test(value)
/** "URLs must contain a valid hostname (underscores are not permitted)." */
export const isUrl: Check = value => {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && !url.hostname.includes('_')
}
export const isMethod: Check = oneOf('GET', 'POST')
const callStatus = oneOf(
  'queued',
  'ringing',
  'in-progress',
  'canceled',
  'completed',
  'failed',
  'busy',
  'no-answer',
)
const paging = { PageSize: whole(1, 1000), Page: whole(0, 1_000_000), PageToken: upTo(500) }

/**
 * The operations that our code may request, as Twilio's reference of its 2010-04-01 API documents them. Everything
 * else is rejected: Twilio itself ignores some unknown parameters, so a misspelt limit would have no effect.
 */
export const operations = {
  callUpdate: {
    required: [],
    known: {
      Url: isUrl,
      Method: isMethod,
      Status: oneOf('canceled', 'completed'),
      FallbackUrl: isUrl,
      FallbackMethod: isMethod,
      StatusCallback: isUrl,
      StatusCallbackMethod: isMethod,
      Twiml: upTo(4000),
      TimeLimit: whole(1, 86_400),
    },
  },
  callFetch: { required: [], known: {} },
  callList: {
    required: [],
    known: {
      To: upTo(256),
      From: upTo(256),
      ParentCallSid: sid('CA'),
      Status: callStatus,
      StartTime: upTo(40),
      'StartTime<': upTo(40),
      'StartTime>': upTo(40),
      EndTime: upTo(40),
      'EndTime<': upTo(40),
      'EndTime>': upTo(40),
      ...paging,
    },
  },
  callerIdValidate: {
    required: ['PhoneNumber'],
    known: {
      PhoneNumber: isE164,
      FriendlyName: upTo(64),
      CallDelay: whole(0, 60),
      Extension: upTo(32),
      StatusCallback: isUrl,
      StatusCallbackMethod: isMethod,
    },
  },
  callerIdList: {
    required: [],
    known: { PhoneNumber: isE164, FriendlyName: upTo(64), ...paging },
  },
  callerIdDelete: { required: [], known: {} },
  accountFetch: { required: [], known: {} },
  balanceFetch: { required: [], known: {} },
  applicationFetch: { required: [], known: {} },
  diallingCountries: {
    required: [],
    known: {
      IsoCode: value => /^[A-Z]{2}$/.test(value),
      Continent: upTo(40),
      CountryCode: upTo(10),
      LowRiskNumbersEnabled: oneOf('true', 'false'),
      HighRiskSpecialNumbersEnabled: oneOf('true', 'false'),
      HighRiskTollfraudNumbersEnabled: oneOf('true', 'false'),
      ...paging,
    },
  },
  highRiskPrefixes: { required: [], known: paging },
  numberList: {
    required: [],
    known: {
      PhoneNumber: upTo(64),
      FriendlyName: upTo(64),
      Beta: oneOf('true', 'false'),
      Origin: oneOf('twilio', 'hosted'),
      ...paging,
    },
  },
} as const satisfies Record<string, Operation>

/** @throws ApiRejection for a parameter that is undocumented, repeated, missing or invalid */
export function readParameters(
  { required, known }: Operation,
  form: URLSearchParams,
): Readonly<Record<string, string>> {
  const given: Record<string, string> = {}
  for (const [name, value] of form) {
    const check = known[name]
    if (check === undefined) undocumented(`There is no parameter ${name}`)
    if (name in given) undocumented(`Parameter ${name} is given twice`)
    if (!check(value)) undocumented(`Parameter ${name} cannot hold ${value}`)
    given[name] = value
  }
  for (const name of required) if (!(name in given)) undocumented(`Parameter ${name} is required`)
  return given
}
