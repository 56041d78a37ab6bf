import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Answer {
  readonly status: number
  readonly body: string
}

/**
 * One request on a connection of its own. On one that is kept, a proxy that reads its configuration anew may hang up just
 * when something is sent: a browser sends it again by itself then, and a program does not.
 * @throws what the connection came to
 */
export async function ask(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: object | undefined },
): Promise<Answer> {
  const asking = request(url, { method, headers, agent: false, signal: AbortSignal.timeout(10_000) })
  asking.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}
