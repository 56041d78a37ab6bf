import { lookup } from 'node:dns/promises'
import { type Check, checkTimeoutMs, networkCodeOf } from '../process/finding.ts'
import { isThisMachine } from '../process/this-machine.ts'

/** Checks the public address from this machine; people may see it differently. */
export function checkAddress({
  publicUrl,
  production,
  trustedProxies,
}: {
  readonly publicUrl: string
  readonly production: boolean
  readonly trustedProxies: number
}): Check {
  return {
    about: 'Public address',
    run: async find => {
      const { hostname, protocol } = new URL(publicUrl)
      const found = []
      // In production this is reported as an accepted risk.
      if (!production && protocol === 'http:' && !isThisMachine(hostname)) {
        found.push(
          find.warning(
            `${publicUrl} is not https: browsers give such a page no microphone.`,
            'Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.',
          ),
        )
      }
      // The server itself speaks plain HTTP, so an https address means a proxy.
      if (protocol === 'https:' && trustedProxies === 0) {
        found.push(
          find.warning(
            'There is a proxy in front, but TRUSTED_PROXIES is 0: all visitors count as one, with its address.',
            'Set TRUSTED_PROXIES to the number of your proxies that add to X-Forwarded-For, usually 1.',
          ),
        )
      }
      try {
        await lookup(hostname.replace(/^\[(.*)\]$/, '$1'))
      } catch (error) {
        found.push(
          find.warning(
            `The name ${hostname} does not resolve (${networkCodeOf(error)}).`,
            'Correct PUBLIC_URL, or add the name to the DNS.',
          ),
        )
        return found
      }
      try {
        const answer = await fetch(`${publicUrl}/healthz`, {
          signal: AbortSignal.timeout(checkTimeoutMs - 500),
        })
        const body: unknown = await answer.json().catch(() => undefined)
        const isOurs = answer.ok && (body as { status?: unknown } | undefined)?.status === 'ok'
        found.push(
          isOurs
            ? find.ok(`${publicUrl} answers.`)
            : find.warning(
                `${publicUrl}/healthz answers ${answer.status}, but not as a Farline server.`,
                'Check which server the proxy in front sends requests to.',
              ),
        )
      } catch (error) {
        found.push(
          find.warning(
            `${publicUrl} does not answer this machine (${networkCodeOf(error)}).`,
            'Start the server. If it runs, check the proxy in front, its certificate and the firewall.',
          ),
        )
      }
      return found
    },
  }
}
