import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Answer {
  readonly status: number
  readonly body: string
}

/**
 * Sends one request, on a new connection unless the agent keeps connections alive. A proxy that reloads or dies may
 * close a kept connection just as a request is sent; browsers then resend it, Node does not.
 * @throws the connection's error
 */
export async function ask(
  url: string,
  {
    method,
    headers,
    body,
    agent = false,
  }: { method: string; headers: Record<string, string>; body?: object | undefined; agent?: Agent | false },
): Promise<Answer> {
  const asking = request(url, { method, headers, agent, signal: AbortSignal.timeout(10_000) })
  asking.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}
