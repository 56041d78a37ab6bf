import { googleCallbackPath } from '#lib/rules/google-sign-in.ts'
import type { GoogleSettings } from '../identity/google/open.ts'
import { type Check, networkCodeOf, patienceMs } from './finding.ts'

/** Who signs people in: whether it answers. Whether it knows us shows at the first sign-in only. */
export function checkGoogle({ issuer }: GoogleSettings, publicUrl: string): Check {
  return {
    about: 'Google',
    run: async find => {
      const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
      const mend = 'Check GOOGLE_ISSUER, and the firewall. People sign in by e-mail meanwhile.'
      try {
        const answer = await fetch(address, { signal: AbortSignal.timeout(patienceMs - 500) })
        const document = (await answer.json().catch(() => undefined)) as { issuer?: unknown } | undefined
        if (!answer.ok || document?.issuer !== issuer) {
          return [
            find.problem(`${address} answers ${answer.status}, and not as an issuer of that name.`, mend),
          ]
        }
      } catch (error) {
        return [find.problem(`${issuer} does not answer (${networkCodeOf(error)}).`, mend)]
      }
      return [
        find.ok(
          `${issuer} answers. Its client must list this redirect address: ${publicUrl}${googleCallbackPath}`,
        ),
      ]
    },
  }
}
