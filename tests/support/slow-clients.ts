import { connect } from 'node:net'

const secondMs = 1000

export const slowHeaders = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'
export const slowBody =
  'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n'

export interface Dribbled {
  readonly lastedMs: number
  readonly heard: string
}

/** Sends the beginning of a request, then a little more each second while the server keeps the connection. */
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
