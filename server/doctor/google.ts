import { googleCallbackPath } from '#lib/account/google-sign-in.ts'
import type { GoogleSettings } from '../identity/google/open.ts'
import { type Check, checkTimeoutMs, networkCodeOf } from '../process/finding.ts'

/** Checks that the issuer answers. Whether it knows our client shows only at the first sign-in. */
export function checkGoogle({ issuer }: GoogleSettings, publicUrl: string | undefined): Check {
  return {
    about: 'Google',
    run: async find => {
      const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
      const mend = 'Check GOOGLE_ISSUER and the firewall. Meanwhile, people can log in by e-mail.'
      try {
        const answer = await fetch(address, { signal: AbortSignal.timeout(checkTimeoutMs - 500) })
        const document = (await answer.json().catch(() => undefined)) as { issuer?: unknown } | undefined
        if (!answer.ok || document?.issuer !== issuer) {
          return [
            find.problem(`${address} answers ${answer.status}, but not as an issuer of that name.`, mend),
          ]
        }
      } catch (error) {
        return [find.problem(`${issuer} does not answer (${networkCodeOf(error)}).`, mend)]
      }
      return [
        find.ok(
          `${issuer} answers. Its client must list this redirect address: ${publicUrl ?? '<PUBLIC_URL>'}${googleCallbackPath}`,
        ),
      ]
    },
  }
}
