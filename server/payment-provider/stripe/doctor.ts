import Stripe from 'stripe'
import { type Check, checkTimeoutMs, type Finding, type Findings } from '../../process/finding.ts'
import { apiVersion, createStripeClient, isLiveKey, type StripeAddress } from './client.ts'
import { eventTypes } from './events.ts'

const webhookPath = '/api/webhooks/stripe'
const page = 'docs/operating/stripe.md'

export function checkStripe(
  { secretKey, address }: { readonly secretKey: string; readonly address?: StripeAddress | undefined },
  { publicUrl, production }: { readonly publicUrl: string | undefined; readonly production: boolean },
): Check {
  return {
    about: 'Stripe',
    run: async find => {
      const client = createStripeClient(secretKey, address)
      const live = isLiveKey(secretKey)
      const mode = live
        ? find.ok('The key moves real money.')
        : production
          ? find.warning(
              'The key is for test money: nobody can pay.',
              'Set STRIPE_SECRET_KEY to the live one.',
            )
          : find.ok('The key is for test money.')
      let listed: Stripe.ApiList<Stripe.WebhookEndpoint>
      try {
        listed = await client.webhookEndpoints.list({ limit: 100 }, { timeout: checkTimeoutMs - 500 })
      } catch (error) {
        return withoutList(error, find, mode)
      }
      if (publicUrl === undefined) {
        const mend = 'Set PUBLIC_URL: the check finds the endpoint by it.'
        return [mode, find.warning('The key is accepted. The webhook endpoint was not checked.', mend)]
      }
      const wanted = `${publicUrl}${webhookPath}`
      const endpoint = listed.data.find(({ url, livemode }) => url === wanted && livemode === live)
      if (endpoint !== undefined) return [mode, ...readEndpoint(endpoint, find)]
      const missing =
        "Without it, payments arrive minutes late, and refunds and disputes don't arrive at all."
      return [
        mode,
        production
          ? find.problem(
              `No webhook endpoint is set up for ${wanted}. ${missing}`,
              `Create it as described in ${page}.`,
            )
          : find.warning(
              `No webhook endpoint is set up for ${wanted}. ${missing}`,
              `stripe listen --forward-to ${wanted} stands in for it (${page}).`,
            ),
      ]
    },
  }
}

/** Never include the error's message: it contains a part of the key. */
function withoutList(error: unknown, find: Findings, mode: Finding): Finding[] {
  if (error instanceof Stripe.errors.StripePermissionError) {
    return [
      mode,
      find.warning(
        'The key is accepted, but may not read webhook endpoints: they were not checked.',
        `Compare them with ${page}, or give the restricted key the right to read them.`,
      ),
    ]
  }
  if (error instanceof Stripe.errors.StripeAuthenticationError) {
    return [
      find.problem('Stripe does not accept the key.', 'Copy STRIPE_SECRET_KEY again from its dashboard.'),
    ]
  }
  if (error instanceof Stripe.errors.StripeError) {
    return [
      find.problem(
        `Stripe did not answer (${error.type}).`,
        'Check the firewall: api.stripe.com, port 443. See status.stripe.com.',
      ),
    ]
  }
  throw error
}

function readEndpoint(endpoint: Stripe.WebhookEndpoint, find: Findings): Finding[] {
  const { enabled_events: enabled, status, api_version: version } = endpoint
  const found: Finding[] = []
  if (status !== 'enabled') {
    found.push(find.problem('The webhook endpoint is switched off.', 'Switch it on in the Stripe dashboard.'))
  }
  const missing = enabled.includes('*') ? [] : eventTypes.filter(type => !enabled.includes(type))
  if (missing.length > 0) {
    found.push(
      find.problem(`The webhook endpoint does not receive ${missing.join(', ')}.`, 'Add these events to it.'),
    )
  }
  if (version !== apiVersion) {
    found.push(
      find.warning(
        `The webhook endpoint uses API version ${version ?? 'of the account'}; Farline needs ${apiVersion}.`,
        `Create another endpoint with version ${apiVersion}, and delete this one.`,
      ),
    )
  }
  return found.length > 0
    ? found
    : [find.ok('The webhook endpoint receives all events that we need, in our version.')]
}
