import type { FastifyRequest } from 'fastify'
import * as contract from '#lib/api/ops.ts'
import type { Services } from '../context.ts'
import { failed } from '../http/failure.ts'
import { type Mount, operatorsSecondFactor } from '../http/mount.ts'
import {
  claimOperatorLink,
  endOperatorSession,
  type FoundOperator,
  findOperatorSession,
  sessionLifeMs,
} from '../identity/operator-sessions.ts'
import { rememberFacts } from '../observability/facts.ts'
import { createOverview, type OverviewSources } from './overview.ts'

/** From one address. A token cannot be guessed; this limits useless database queries. */
const claimsPerMinute = 10
/** A page asks four times a minute. */
const looksPerMinute = 120

type CookieTools = Pick<Services, 'publicUrl'>

function cookieName({ publicUrl }: CookieTools): string {
  return publicUrl.startsWith('https:') ? '__Host-operator' : 'operator'
}

function cookieOptions({ publicUrl }: CookieTools) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: publicUrl.startsWith('https:') } as const
}

/** Finds the operator of a request's cookie; a user's session is none. */
export async function operatorOf(services: Services, request: FastifyRequest): Promise<FoundOperator> {
  const cookie = request.cookies[cookieName(services)]
  return cookie === undefined ? undefined : findOperatorSession(services, cookie)
}

/** @param sources facts that the process already has; without them the database is queried */
export function mountOps(mount: Mount, services: Services, sources?: OverviewSources): void {
  const { db, clock } = services
  const overviewOf = createOverview(
    services,
    sources ?? { facts: rememberFacts(db, clock), redisReady: undefined },
  )
  mount(
    contract.operatorSignIn,
    async ({ body, sessionId, http: { reply } }) => {
      const claimed = await claimOperatorLink(services, body.token, sessionId)
      if (!claimed.ok && claimed.code === 'second_factor_required')
        throw failed(contract.operatorSignIn, claimed.code, operatorsSecondFactor)
      if (!claimed.ok) {
        throw failed(
          contract.operatorSignIn,
          claimed.code,
          'This link no longer works. Create a new one: npm run admin -- ops-link',
        )
      }
      const maxAge = sessionLifeMs / 1000
      void reply.setCookie(cookieName(services), claimed.value, { ...cookieOptions(services), maxAge })
      return undefined
    },
    { perMinute: claimsPerMinute },
  )
  mount(contract.operatorSignOut, async ({ operator, http: { reply } }) => {
    await endOperatorSession(services, operator.id)
    void reply.clearCookie(cookieName(services), cookieOptions(services))
    return undefined
  })
  mount(contract.opsOverview, async ({ operator, query }) => overviewOf(query.span, operator.name), {
    perMinute: looksPerMinute,
  })
}
