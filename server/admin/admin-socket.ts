import { chmod, rm } from 'node:fs/promises'
import Fastify from 'fastify'
import * as z from 'zod/mini'
import { failure, success } from '#lib/result.ts'
import { resetSecondFactor } from '../accounts/second-factor/operator-reset.ts'
import { backupPath, spoolRows } from '../backup/embedded.ts'
import type { Services } from '../context.ts'
import { handleErrors } from '../http/errors.ts'
import {
  createOperatorLink,
  endOperatorSessions,
  listOperatorSessions,
} from '../identity/operator-sessions.ts'
import { checkBooks } from '../ledger/books/whole.ts'
import { refundPayment } from '../payments/refunds/operator-refund.ts'
import { releasePayment } from '../payments/release.ts'
import { reconcileOnDemand } from '../reconciliation/reconcile-report.ts'
import { publishedTariff } from '../tariff/tariff-file.ts'
import { compareCarrierCdrs } from './cdrs/carrier-cdrs.ts'
import { creditAccount } from './credit-account.ts'
import { lookUpAccount, lookUpCalls, lookUpPayments } from './look-up.ts'
import { importPrices } from './prices.ts'
import { restrictAccount, signOutAccount } from './restrict.ts'
import { adminSocketPath } from './socket-path.ts'

/** Bytes; holds a carrier's price list of a million prefixes. */
const largestRequest = 32 * 2 ** 20

const lookUpRequest = z.object({ email: z.string(), actor: z.string() })
const restriction = z.object({
  email: z.string(),
  reason: z.string(),
  actor: z.string(),
  signOut: z.optional(z.boolean()),
})
const reconcileRequest = z.object({ actor: z.string() })
const linkRequest = z.object({ name: z.string(), actor: z.string() })
const endRequest = z.object({ id: z.nullable(z.uuid()), actor: z.string() })
const priceRequest = z.object({
  tariff: z.string(),
  costs: z.nullable(z.string()),
  apply: z.boolean(),
  reason: z.string(),
  actor: z.string(),
})
const cdrRequest = z.object({ cdrs: z.string(), carrier: z.string(), actor: z.string() })
const releaseRequest = z.object({ paymentId: z.uuid(), reason: z.string(), actor: z.string() })
const refundRequest = z.object({
  requestId: z.uuid(),
  paymentId: z.uuid(),
  amountMicroUsd: z.nullable(z.number()),
  reason: z.string(),
  actor: z.string(),
})
const creditRequest = z.object({
  requestId: z.uuid(),
  email: z.string(),
  amountMicroUsd: z.number(),
  reason: z.string(),
  actor: z.string(),
})

/** Opens the admin socket for commands to the running server. @param tariffFile the published price list */
export async function openAdminSocket(
  dataDirectory: string,
  services: Services,
  tariffFile: string = publishedTariff,
): Promise<{ close(): Promise<void> }> {
  const path = adminSocketPath(dataDirectory)
  await rm(path, { force: true })
  const app = Fastify({ bodyLimit: largestRequest })
  handleErrors(app)
  app.post('/credit', async request => creditAccount(services, z.parse(creditRequest, request.body)))
  app.post('/user', async request => lookUpAccount(services, z.parse(lookUpRequest, request.body)))
  app.post('/calls', async request => lookUpCalls(services, z.parse(lookUpRequest, request.body)))
  app.post('/payments', async request => lookUpPayments(services, z.parse(lookUpRequest, request.body)))
  app.post('/block', async ({ body }) => restrictAccount(services, 'block', z.parse(restriction, body)))
  app.post('/unblock', async ({ body }) => restrictAccount(services, 'unblock', z.parse(restriction, body)))
  app.post('/sign-out', async ({ body }) => signOutAccount(services, z.parse(lookUpRequest, body)))
  app.post('/reset-second-factor', async ({ body }) =>
    resetSecondFactor(services, z.parse(lookUpRequest, body)),
  )
  app.post('/release', async ({ body }) => {
    const { paymentId, reason, actor } = z.parse(releaseRequest, body)
    if (reason.trim() === '') return failure('missing_reason')
    return releasePayment(services, paymentId, { reason: reason.trim(), actor })
  })
  app.post('/refund', async request => refundPayment(services, z.parse(refundRequest, request.body)))
  app.post('/reconcile', async ({ body }) => reconcileOnDemand(services, z.parse(reconcileRequest, body)))
  app.post('/prices', async ({ body }) => importPrices(services, tariffFile, z.parse(priceRequest, body)))
  app.post('/carrier-cdrs', async ({ body }) => compareCarrierCdrs(services, z.parse(cdrRequest, body)))
  app.post('/ops-link', async ({ body }) => createOperatorLink(services, z.parse(linkRequest, body)))
  app.post('/ops-sessions', async () => success(await listOperatorSessions(services)))
  app.post('/ops-sessions/end', async ({ body }) => endOperatorSessions(services, z.parse(endRequest, body)))
  app.get('/books', async () => checkBooks(services.db))
  app.get(backupPath, async (_request, reply) => {
    const { bytes, rows } = await spoolRows(services.db, dataDirectory, services.random.uuid())
    return reply.header('content-length', bytes).type('application/octet-stream').send(rows)
  })
  await app.listen({ path })
  await chmod(path, 0o600)
  return {
    close: async () => {
      await app.close()
      await rm(path, { force: true })
    },
  }
}
