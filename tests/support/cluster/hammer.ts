import { randomInt, randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { ask } from './ask.ts'

/** Number of answers by status; failed requests by error. */
export type Answers = Readonly<Record<string, number>>

export interface Hammer {
  stop(): Promise<Answers>
}

/**
 * Sends sign-ins continuously, each once and for an unknown user, so that each is answered with 401. Hashing the
 * password takes a while, so at any moment a request is in progress, which no proxy may repeat. Connections are kept
 * alive, as in browsers.
 */
export function startHammer(url: string, hands = 4): Hammer {
  const answers: Record<string, number> = {}
  let going = true
  const hammering = Array.from({ length: hands }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (going) {
      const answer = await ask(`${url}/api/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': [10, randomInt(256), randomInt(256), randomInt(256)].join('.'),
        },
        body: { email: `${randomUUID()}@example.com`, password: 'a wrong password' },
        agent,
      }).then(({ status }) => String(status), String)
      answers[answer] = (answers[answer] ?? 0) + 1
    }
    agent.destroy()
  })
  return {
    stop: async () => {
      going = false
      await Promise.all(hammering)
      return answers
    },
  }
}
