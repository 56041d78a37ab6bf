import { randomInt, randomUUID } from 'node:crypto'
import { ask } from './ask.ts'

/** How many of each answer came; what is no answer stands there by its error. */
export type Answers = Readonly<Record<string, number>>

export interface Hammer {
  stop(): Promise<Answers>
}

/**
 * Signs in without a pause, never twice, each time as somebody else whom nobody knows: each is answered with 401. A password
 * takes a server a while, so that at any moment there is one under way, and no proxy dares to repeat it.
 */
export function startHammer(url: string, hands = 4): Hammer {
  const answers: Record<string, number> = {}
  let going = true
  const hammering = Array.from({ length: hands }, async () => {
    while (going) {
      const answer = await ask(`${url}/api/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': [10, randomInt(256), randomInt(256), randomInt(256)].join('.'),
        },
        body: { email: `${randomUUID()}@example.com`, password: 'a wrong password' },
      }).then(({ status }) => String(status), String)
      answers[answer] = (answers[answer] ?? 0) + 1
    }
  })
  return {
    stop: async () => {
      going = false
      await Promise.all(hammering)
      return answers
    },
  }
}
