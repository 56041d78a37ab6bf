import type { TwilioSettings } from '../../config.ts'
import {
  type Check,
  checkTimeoutMs,
  type Finding,
  type Findings,
  networkCodeOf,
} from '../../process/finding.ts'
import { webhookPaths } from './webhook-paths.ts'

const page = 'docs/operating/twilio.md'

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** @param publicUrl undefined if the webhooks' address is unknown, which is reported */
export function checkTwilio(settings: TwilioSettings, publicUrl: string | undefined): Check {
  const { accountSid, authToken, apiKey, apiSecret, appSid, publicNumber, eeaNumber, apiUrl } = settings
  const own = [
    { name: 'TWILIO_NUMBER', number: publicNumber },
    ...(eeaNumber === undefined ? [] : [{ name: 'TWILIO_EEA_NUMBER', number: eeaNumber }]),
  ]
  /** @throws what `fetch` throws */
  const get = async (path: string, name: string, secret: string): Promise<Answer> => {
    const answer = await fetch(`${apiUrl}/2010-04-01/Accounts/${accountSid}${path}`, {
      headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` },
      signal: AbortSignal.timeout(checkTimeoutMs - 500),
    })
    const body = (await answer.json().catch(() => ({}))) as Answer['body']
    return { status: answer.status, body }
  }
  return {
    about: 'Twilio',
    run: async find => {
      try {
        const [account, balance, application, ...numbers] = await Promise.all([
          // A standard API key cannot read the account itself.
          get('.json', accountSid, authToken),
          get('/Balance.json', accountSid, authToken),
          get(`/Applications/${appSid}.json`, apiKey, apiSecret),
          ...own.map(({ number }) =>
            get(`/IncomingPhoneNumbers.json?PhoneNumber=${encodeURIComponent(number)}`, apiKey, apiSecret),
          ),
        ])
        return [
          readAccount(account, find),
          ...readBalance(balance, find),
          ...readApplication(application, find, publicUrl),
          ...numbers.flatMap((answer, index) => readNumber(answer, find, own[index])),
        ]
      } catch (error) {
        return [
          find.problem(
            `Twilio does not answer (${networkCodeOf(error)}).`,
            'Check the firewall: api.twilio.com, port 443. See status.twilio.com.',
          ),
        ]
      }
    },
  }
}

function readAccount({ status, body }: Answer, find: Findings): Finding {
  if (isRefused(status)) {
    return find.problem(
      'Twilio does not accept the auth token of this account.',
      'Copy TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN again from its console: without them Twilio cannot report calls to us.',
    )
  }
  if (status !== 200) return find.problem(`Twilio answers ${status}.`, 'See status.twilio.com.')
  if (body['status'] !== 'active') {
    return find.problem(
      `The account is ${String(body['status'])}.`,
      'Its console says why: usually the balance is used up.',
    )
  }
  return body['type'] === 'Trial'
    ? find.warning(
        'The account is a trial: it calls only verified numbers, and plays a message first.',
        `Upgrade it in its console (${page}).`,
      )
    : find.ok(
        'The account is active and accepts the auth token. Twilio does not say whether it is the primary token.',
      )
}

/** Silent where the balance may not be read: a subaccount, for one, pays from its parent's. */
function readBalance({ status, body }: Answer, find: Findings): Finding[] {
  const { balance, currency } = body
  if (status !== 200 || typeof balance !== 'string' || balance === '') return []
  const left = `${balance} ${String(currency)}`
  return Number(balance) > 0
    ? [find.ok(`The balance is ${left}.`)]
    : [
        find.problem(
          `The balance is ${left}: calls cannot be placed.`,
          'Add funds in its console, and switch auto-recharge on.',
        ),
      ]
}

function readApplication({ status, body }: Answer, find: Findings, publicUrl: string | undefined): Finding[] {
  if (isRefused(status)) {
    return [
      find.problem(
        'Twilio does not accept the API key.',
        'Make a standard API key in region US1, and set TWILIO_API_KEY and TWILIO_API_SECRET.',
      ),
    ]
  }
  if (status === 404) {
    return [
      find.problem(
        'The account has no such TwiML application.',
        `Set TWILIO_APP_SID to the one from ${page}.`,
      ),
    ]
  }
  if (status !== 200) return [find.problem(`Twilio answers ${status}.`, 'See status.twilio.com.')]
  if (publicUrl === undefined)
    return [
      find.warning(
        'The API key works. Whether the application calls this server was not checked.',
        'Set PUBLIC_URL: the check compares it with the addresses of the application.',
      ),
    ]
  const found: Finding[] = []
  const voice = `${publicUrl}${webhookPaths.voice}`
  if (body['voice_url'] !== voice || body['voice_method'] !== 'POST') {
    found.push(
      find.problem(
        `The application calls ${String(body['voice_url'])} by ${String(body['voice_method'])}: no call reaches us.`,
        `Set its voice request to ${voice} by POST.`,
      ),
    )
  }
  const [fallback, fallbackMethod] = [body['voice_fallback_url'], body['voice_fallback_method']]
  if (typeof fallback !== 'string' || fallback === '') {
    found.push(
      find.warning(
        'The application has no voice fallback: if one answer is lost, the call fails.',
        `Set it to ${voice} by POST: this server places one call even if it is asked twice.`,
      ),
    )
  } else if (fallback !== voice || fallbackMethod !== 'POST') {
    found.push(
      find.problem(
        `The application's voice fallback is ${fallback} by ${String(fallbackMethod)}.`,
        `Set it to ${voice} by POST.`,
      ),
    )
  }
  const callback = `${publicUrl}${webhookPaths.status}`
  const given = body['status_callback']
  if (typeof given !== 'string' || given === '') {
    found.push(
      find.warning(
        'The application has no status callback: this server learns only later, by polling, how calls end.',
        `Set it to ${callback} by POST.`,
      ),
    )
  } else if (given !== callback || body['status_callback_method'] !== 'POST') {
    const by = String(body['status_callback_method'])
    found.push(
      find.problem(
        `The application's status callback is ${given} by ${by}.`,
        `Set it to ${callback} by POST.`,
      ),
    )
  }
  return found.length > 0 ? found : [find.ok('The API key works, and the application calls this server.')]
}

function readNumber(
  { status, body }: Answer,
  find: Findings,
  asked: { readonly name: string; readonly number: string } | undefined,
): Finding[] {
  if (asked === undefined) return []
  const { name, number } = asked
  if (status !== 200) {
    return [
      find.warning(
        `The number ${number} was not checked: Twilio answers ${status}.`,
        'Check in its console that the account has it, with voice.',
      ),
    ]
  }
  const numbers = body['incoming_phone_numbers']
  const own = Array.isArray(numbers)
    ? (numbers as { phone_number?: unknown; capabilities?: { voice?: unknown } }[]).find(
        each => each.phone_number === number,
      )
    : undefined
  if (own === undefined) {
    return [
      find.problem(
        `The account does not have the number ${number}: calls from it are rejected.`,
        `Set ${name} to a number of the account.`,
      ),
    ]
  }
  return own.capabilities?.voice === true
    ? [find.ok(`The account has the number ${number}, with voice.`)]
    : [find.problem(`The number ${number} does not support voice.`, `Buy one that does, and set ${name}.`)]
}

function isRefused(status: number): boolean {
  return status === 401 || status === 403
}
