import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Result } from '#lib/result.ts'
import { type AdminRequest, adminAnswer } from './commands/command.ts'

/** The server failed or disconnected before it answered: the result is unknown. */
export class NoAnswer extends Error {}

/** Milliseconds. Retries use the same request id, so nothing is done twice. */
const retryPausesMs = [500, 1000, 2000, 4000]

/** Retries idempotent requests while there is no answer. @throws NoAnswer, or the socket's error */
export async function askServer(socketPath: string, asked: AdminRequest): Promise<Result<unknown, string>> {
  for (const pauseMs of asked.requestId === undefined ? [] : retryPausesMs) {
    try {
      return await send(socketPath, asked)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
    }
    await sleep(pauseMs)
  }
  return send(socketPath, asked)
}

function send(socketPath: string, { path, body }: AdminRequest): Promise<Result<unknown, string>> {
  return new Promise((done, fail) => {
    const outgoing = request(
      { socketPath, path, method: 'POST', headers: { 'content-type': 'application/json' } },
      incoming => {
        text(incoming)
          .catch(() => {
            throw new NoAnswer()
          })
          .then(answer => {
            if ((incoming.statusCode ?? 500) >= 500) throw new NoAnswer()
            done(z.parse(adminAnswer, JSON.parse(answer)) as Result<unknown, string>)
          })
          .catch(fail)
      },
    )
    outgoing
      .on('error', (error: NodeJS.ErrnoException) => {
        fail(error.code === 'ECONNRESET' || error.code === 'EPIPE' ? new NoAnswer() : error)
      })
      .end(JSON.stringify(body))
  })
}
