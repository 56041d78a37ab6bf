import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import * as z from 'zod/mini'
import { handleErrors } from '../http/errors.ts'
import type { Services } from '../services/context.ts'
import { creditAccount } from '../services/credit-account.ts'
import { StartError } from '../start-error.ts'

/** Where the running server listens for its operator: a socket that only the same system user can open. */
export function doorPath(dataDirectory: string): string {
  return join(dataDirectory, 'operator.sock')
}

/** The longest path that Linux gives a socket, in bytes. */
const longestPath = 107

/** @throws StartError when the data directory's path is too long to hold the socket. */
export function requireUsableDoor(dataDirectory: string): void {
  if (Buffer.byteLength(doorPath(dataDirectory)) <= longestPath) return
  throw new StartError(
    `The path of the data directory ${dataDirectory} is too long. Set DATA_DIR to a shorter one.`,
  )
}

export const creditRequest = z.object({
  requestId: z.uuid(),
  email: z.string(),
  amountMicroUsd: z.number(),
  reason: z.string(),
  actor: z.string(),
})

/**
 * Opens the operator's door beside the database that the running server holds: the command line acts
 * through it, so that it works while the server runs and sees the same state.
 */
export async function openOperatorDoor(
  dataDirectory: string,
  services: Services,
): Promise<{ close(): Promise<void> }> {
  const path = doorPath(dataDirectory)
  await rm(path, { force: true })
  const app = Fastify()
  handleErrors(app)
  app.post('/credit', async request => creditAccount(services, z.parse(creditRequest, request.body)))
  await app.listen({ path })
  await chmod(path, 0o600)
  return {
    close: async () => {
      await app.close()
      await rm(path, { force: true })
    },
  }
}
