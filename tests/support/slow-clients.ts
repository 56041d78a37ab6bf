import { connect } from 'node:net'

const secondMs = 1000

/** Headers that go on and on. */
export const slowHeaders = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'
/** A body that is announced, and comes byte by byte. */
export const slowBody =
  'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n'

export interface Dribbled {
  /** From the connection to its end, in milliseconds. */
  readonly lastedMs: number
  readonly heard: string
}

/** Sends the beginning of a request, and then a little each second for as long as somebody listens. */
export function dribble(port: number, beginning: string): Promise<Dribbled> {
  return new Promise(resolve => {
    const begun = performance.now()
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(beginning))
    const timer = setInterval(() => {
      if (socket.writable) socket.write(beginning === slowHeaders ? 'X-More: a\r\n' : ' ')
    }, secondMs)
    socket.setEncoding('utf8').on('data', chunk => (heard += chunk))
    socket.on('error', () => {})
    socket.once('close', () => {
      clearInterval(timer)
      resolve({ lastedMs: performance.now() - begun, heard })
    })
  })
}
