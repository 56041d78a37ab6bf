import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from './open-session.ts'

/** Sets a browser's session cookies and returns its access token. */
export type SignInAnew = (
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  signedIn: SignedIn,
) => Promise<{ token: string }>
