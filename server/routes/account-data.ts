import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { deleteAccount as deleteEndpoint, exportPath } from '#lib/api/profile.ts'
import { failed, tooManyRequests } from '../http/failure.ts'
import { authenticate, type Mount, type MountTools } from '../http/mount.ts'
import type { Services } from '../services/context.ts'
import { takePasswordAttempt } from '../services/current-password.ts'
import { deleteAccount } from '../services/delete-account/delete-account.ts'
import { type Admission, admitExport, endExport, longestExportMs } from '../services/export/admission.ts'
import { exportData } from '../services/export/export-data.ts'

const deletionRefusals = {
  wrong_password: 'That is not your current password. Check it and try again.',
  wrong_confirmation: "That is not your account's e-mail address. Check it and try again.",
  call_in_progress: 'You are in a call. End it, then delete your account.',
  payment_in_progress: 'A payment of yours is under way. Wait until it is through, then delete your account.',
} as const

const exportRefusals = {
  busy: 'Your data is being put together already.',
  too_soon: 'You have just downloaded your data.',
} as const

/** What a user may do with all of their data: take it along, and have it deleted. */
export function mountAccountData(
  app: FastifyInstance,
  mount: Mount,
  tools: MountTools,
  services: Services,
): void {
  mount(deleteEndpoint, async ({ userId, body }) => {
    const waitMs = await takePasswordAttempt(services, userId)
    if (waitMs > 0) throw tooManyRequests(waitMs, 'That was a wrong password too often.')
    const deleted = await deleteAccount(services, userId, body)
    if (!deleted.ok) throw failed(deleteEndpoint, deleted.code, deletionRefusals[deleted.code])
    return undefined
  })

  app.get(exportPath, async (request, reply) => {
    const { userId } = await authenticate(request, tools)
    const admitted = await admitExport(services, userId)
    if (!admitted.ok) throw tooManyRequests(admitted.waitMs, exportRefusals[admitted.code])
    const day = admitted.value.startedAt.toISOString().slice(0, 10)
    return reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="farline-data-${day}.zip"`)
      .send(Readable.from(untilTooLong(services, userId, admitted.value)))
  })
}

/** The bytes of an export. One that fails or takes too long breaks off, so that nobody takes it for a whole one. */
async function* untilTooLong(
  services: Services,
  userId: string,
  admission: Admission,
): AsyncGenerator<Uint8Array> {
  const { clock, log } = services
  const startedMs = clock.monotonicMs()
  try {
    for await (const bytes of exportData(services, userId)) {
      yield bytes
      if (clock.monotonicMs() - startedMs > longestExportMs) throw new Error('an export took too long')
    }
  } catch (error) {
    log.error({ err: error }, 'an export broke off')
    throw error
  } finally {
    await endExport(services, userId, admission)
  }
}
