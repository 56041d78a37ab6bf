import { lookup } from 'node:dns/promises'
import { type ProbedProxies, probeHeaders } from '../http/proxy-probe.ts'
import { type Check, checkTimeoutMs, type Finding, type Findings, networkCodeOf } from '../process/finding.ts'
import { deriveKeys } from '../process/secret.ts'
import { isThisMachine } from '../process/this-machine.ts'

/** Checks the public address from this machine; people may see it differently. */
export function checkAddress({
  publicUrl,
  production,
  trustedProxies,
  tokenSecret,
}: {
  readonly publicUrl: string
  readonly production: boolean
  readonly trustedProxies: number
  /** Undefined: the server is not asked which proxies its requests pass. */
  readonly tokenSecret: string | undefined
}): Check {
  return {
    about: 'Public address',
    run: async find => {
      const { hostname, protocol } = new URL(publicUrl)
      const found: Finding[] = []
      // In production this is reported as an accepted risk.
      if (!production && protocol === 'http:' && !isThisMachine(hostname)) {
        found.push(
          find.warning(
            `${publicUrl} is not https: browsers give such a page no microphone.`,
            'Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.',
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
        return [...found, ...withoutProbe()]
      }
      try {
        const answer = await fetch(`${publicUrl}/healthz`, {
          headers: tokenSecret === undefined ? {} : probeHeaders(deriveKeys(tokenSecret).probe),
          signal: AbortSignal.timeout(checkTimeoutMs - 500),
        })
        const body: unknown = await answer.json().catch(() => undefined)
        const { status, proxies } = (body ?? {}) as { status?: unknown; proxies?: ProbedProxies }
        const isOurs = answer.ok && status === 'ok'
        found.push(
          isOurs
            ? find.ok(`${publicUrl} answers.`)
            : find.warning(
                `${publicUrl}/healthz answers ${answer.status}, but not as a Farline server.`,
                'Check which server the proxy in front sends requests to.',
              ),
          ...(proxies === undefined ? withoutProbe() : [judgeProxies(proxies, trustedProxies, find)]),
        )
      } catch (error) {
        found.push(
          find.warning(
            `${publicUrl} does not answer this machine (${networkCodeOf(error)}).`,
            'Start the server. If it runs, check the proxy in front, its certificate and the firewall.',
          ),
          ...withoutProbe(),
        )
      }
      return found

      function withoutProbe(): readonly Finding[] {
        // The server itself speaks plain HTTP, so an https address means a proxy.
        if (protocol !== 'https:' || trustedProxies > 0) return []
        return [
          find.warning(
            'There is a proxy in front, but TRUSTED_PROXIES is 0: all visitors count as one, with its address.',
            'Set TRUSTED_PROXIES to the number of your proxies that add to X-Forwarded-For, usually 1.',
          ),
        ]
      }
    },
  }
}

function judgeProxies(
  { added, keepsClaims }: ProbedProxies,
  trustedProxies: number,
  find: Findings,
): Finding {
  const passed = `A request from here had ${added} ${added === 1 ? 'address' : 'addresses'} added to X-Forwarded-For by proxies`
  if (added > trustedProxies)
    return find.warning(
      `${passed}, but TRUSTED_PROXIES is ${trustedProxies}: all visitors count as one, with the address of a proxy.`,
      `Set TRUSTED_PROXIES=${added}.`,
    )
  // A proxy that replaces the header leaves nothing that a visitor wrote.
  if (added < trustedProxies && keepsClaims)
    return find.warning(
      `${passed}, but TRUSTED_PROXIES is ${trustedProxies}: a visitor can choose the address that limits count.`,
      `Set TRUSTED_PROXIES=${added}. If visitors pass more proxies than a request from here does, let nobody reach the inner ones directly.`,
    )
  return find.ok(`${passed}, and TRUSTED_PROXIES is ${trustedProxies}.`)
}
