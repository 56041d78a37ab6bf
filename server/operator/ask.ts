import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Result } from '#lib/result.ts'
import { type DoorRequest, doorAnswer } from './commands/command.ts'

/** The server answered that it could not, or went away before it answered: whether it did is not known. */
export class NoAnswer extends Error {}

/** With the same request id each time, so that what was done and not heard is not done again. Milliseconds. */
const retryPausesMs = [500, 1000, 2000, 4000]

/**
 * Asks the running server through its operator's door; again, where that is harmless, while it does not answer.
 * @throws NoAnswer, or the socket's error where nobody listens
 */
export async function askServer(socketPath: string, asked: DoorRequest): Promise<Result<unknown, string>> {
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

function send(socketPath: string, { path, body }: DoorRequest): Promise<Result<unknown, string>> {
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
            done(z.parse(doorAnswer, JSON.parse(answer)) as Result<unknown, string>)
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
