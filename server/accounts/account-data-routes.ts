import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deleteAccount as deleteEndpoint, exportPath } from '#lib/api/profile.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import type { Services } from '../context.ts'
import { failed, tooManyRequests } from '../http/failure.ts'
import { authenticate, type Mount, type MountTools } from '../http/mount.ts'
import { inLanguage, languageOf, piecesInLanguage } from '../languages/languages.ts'
import { answers } from './account-texts.ts'
import { deleteAccount } from './deletion/delete-account.ts'
import { type Admission, admitExport, endExport, longestExportMs } from './export/admission.ts'
import { exportData } from './export/export-data.ts'
import { limitGuesses } from './password/owner-proof.ts'
import { sessionCookies } from './sign-in/session-cookies.ts'

export function mountAccountData(
  app: FastifyInstance,
  mount: Mount,
  tools: MountTools,
  services: Services,
): void {
  const cookies = sessionCookies(services.publicUrl)
  mount(deleteEndpoint, async ({ userId, sessionId, body, http }) => {
    const from = { sessionId, address: http.request.ip }
    await limitGuesses(services, userId, from)
    const deleted = await deleteAccount(services, userId, body, from)
    if (deleted.ok) {
      cookies.clearSent(http.request, http.reply)
      return undefined
    }
    const message = deleted.code === 'wrong_password' ? deleted.message : answers[deleted.code]
    const code =
      deleted.code === 'refund_in_progress' || deleted.code === 'booklet_in_review'
        ? 'payment_in_progress'
        : deleted.code
    throw failed(deleteEndpoint, code, message)
  })

  app.get(exportPath, (request, reply) => inLanguage(languageOf(request), () => answerExport(request, reply)))

  async function answerExport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { userId } = await authenticate(request, tools)
    const admitted = await admitExport(services, userId)
    if (!admitted.ok) {
      const busy = admitted.code === 'busy'
      throw tooManyRequests(admitted.waitMs, busy ? answers.exportBusy : answers.exportTooSoon)
    }
    const day = admitted.value.startedAt.toISOString().slice(0, 10)
    return reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="farline-data-${day}.zip"`)
      .send(exportStream(services, userId, admitted.value))
  }
}

/** The bytes of an export. Closing the stream ends the export, even if nobody began to read it. */
function exportStream(services: Services, userId: string, admission: Admission): Readable {
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= endExport(services, userId, admission).catch(error =>
      services.log.error({ err: error }, 'could not record the end of an export'),
    )
    return ending
  }
  return Readable.from(untilTooLong(services, userId, currentLanguage(), end)).once('close', end)
}

/** Throws on an error or a timeout, so that nobody takes a partial export for a complete one. */
async function* untilTooLong(
  services: Services,
  userId: string,
  language: string,
  end: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { clock, log } = services
  const startedMs = clock.monotonicMs()
  try {
    for await (const bytes of piecesInLanguage(language, () => exportData(services, userId))) {
      yield bytes
      if (clock.monotonicMs() - startedMs > longestExportMs) throw new Error('an export took too long')
    }
  } catch (error) {
    log.error({ err: error }, 'an export failed before its end')
    throw error
  } finally {
    // Before the last byte, so that a client with the complete file may request another.
    await end()
  }
}
