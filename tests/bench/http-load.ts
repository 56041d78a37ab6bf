import { Agent, request } from 'node:http'

export interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: a GET. */
  readonly body?: string | undefined
}

export interface Answered {
  readonly body: string
  readonly ms: number
}

/**
 * Sends each of these once, so many at a time over connections that stay open.
 * @returns what was answered, in the order of what was sent, and how long all of it took
 * @throws Error when one is not answered with a 200
 */
export async function sendAll(
  origin: string,
  all: readonly Sent[],
  connections: number,
): Promise<{ answers: Answered[]; perSecond: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const answers: Answered[] = []
  const began = performance.now()
  let next = 0
  const sendInTurn = async () => {
    for (let index = next++; index < all.length; index = next++) {
      const sent = all[index]
      if (sent !== undefined) answers[index] = await send(agent, origin, sent)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, sendInTurn))
    return { answers, perSecond: all.length / ((performance.now() - began) / 1000) }
  } finally {
    agent.destroy()
  }
}

function send(agent: Agent, origin: string, { path, headers, body }: Sent): Promise<Answered> {
  const began = performance.now()
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const sending = request(`${origin}${path}`, { agent, method, headers }, response => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        if (response.statusCode === 200) resolve({ body: text, ms: performance.now() - began })
        else reject(new Error(`${path} answered ${response.statusCode}: ${text}`))
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}
