import type { FastifyReply, FastifyRequest } from 'fastify'
import { stepMs } from '../second-factor/steps.ts'

export interface StepCookie {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, step: string): void
  clear(request: FastifyRequest, reply: FastifyReply): void
}

/** Identifies a browser's step between two requests of a sign-in, or of adding a passkey. */
export function stepCookie(publicUrl: string): StepCookie {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-step' : 'step'
  const options = { httpOnly: true, sameSite: 'strict', path: '/', secure } as const
  return {
    read: request => request.cookies[name],
    set: (reply, step) => {
      reply.setCookie(name, step, { ...options, maxAge: stepMs / 1000 })
    },
    clear: (request, reply) => {
      if (request.cookies[name] !== undefined) reply.clearCookie(name, options)
    },
  }
}
