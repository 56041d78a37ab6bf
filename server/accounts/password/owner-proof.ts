import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#lib/api/endpoint.ts'
import type { Services } from '../../context.ts'
import { failed, tooManyRequests } from '../../http/failure.ts'
import { answers } from '../account-texts.ts'
import { type AskedFrom, countPasswordAttempt, type Known, provesOwner } from './current-password.ts'

type Proven = Endpoint & { readonly errors: { readonly wrong_password: 403; readonly proof_needed: 403 } }

const tooManyGuesses = (waitMs: number) => tooManyRequests(waitMs, answers.tooManyPasswords)

/** Counts a guess at the current password. @throws RequestFailure after too many */
export async function limitGuesses(services: Services, userId: string, from: AskedFrom): Promise<void> {
  const waitMs = await countPasswordAttempt(services, userId, from)
  if (waitMs > 0) throw tooManyGuesses(waitMs)
}

/** Requires a recent sign-in or the password. @throws RequestFailure without either */
export async function ownerProof(
  services: Services,
  endpoint: Proven,
  {
    userId,
    sessionId,
    http,
  }: {
    readonly userId: string
    readonly sessionId: string | undefined
    readonly http: { readonly request: FastifyRequest }
  },
  password: string,
): Promise<Known> {
  const shown = await provesOwner(services, userId, password, { sessionId, address: http.request.ip })
  if (shown.ok) return shown.value
  if (shown.code === 'too_many_guesses') throw tooManyGuesses(shown.waitMs)
  throw failed(endpoint, shown.code, shown.message)
}

/** The password changed during the check. */
export function proofOutdated(endpoint: Proven) {
  return failed(endpoint, 'wrong_password', answers.wrongPassword)
}
