import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body as received, without SMTP's dot-stuffing. */
  readonly raw: string
  /** Whether it came over TLS, and the signed-in user. */
  readonly secure: boolean
  readonly user: string | undefined
}

export interface SmtpServerOptions {
  /** Port of a server to be replaced; default: any free port. */
  readonly port?: number
  /** Required login; default: none. */
  readonly login?: { readonly user: string; readonly password: string }
  /** Key and certificate. The server then offers STARTTLS, and accepts passwords only over TLS. */
  readonly tls?: CertificateText
  readonly refuse?: (recipient: string) => string | undefined
}

export interface SmtpServer {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** Open connections, and the total of all connections. */
  readonly connections: { open: number; made: number }
  /**
   * Stops replying: to a recipient, or to the end of a mail, which it still stores. A number: replies to the end of a
   * mail after that many milliseconds. False: replies normally again.
   */
  hang(hanging: 'at recipient' | 'at end' | number | false): void
  close(): Promise<void>
}

/** PEM. */
export interface CertificateText {
  readonly key: string
  readonly cert: string
}

/** A mail server on a loopback port (RFC 5321), with what a sender needs. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const connections = { open: 0, made: 0 }
  const sockets = new Set<Socket>()
  let hanging: 'at recipient' | 'at end' | number | false = false
  const server = createServer(socket => {
    connections.made += 1
    connections.open += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      connections.open -= 1
      sockets.delete(socket)
    })
    socket.write('220 localhost ESMTP\r\n')
    serve(socket, options, {
      takesRecipients: () => hanging !== 'at recipient',
      take: (mail, reply) => {
        mails.push(mail)
        if (typeof hanging === 'number') setTimeout(reply, hanging)
        else if (hanging === false) reply()
      },
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    connections,
    hang: value => {
      hanging = value
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** One client's session, over plain TCP or TLS. */
function serve(
  line: Socket,
  options: SmtpServerOptions,
  {
    takesRecipients,
    take,
  }: { takesRecipients: () => boolean; take: (mail: ReceivedMail, reply: () => void) => void },
): void {
  let socket: Socket = line
  let secure = false
  let user: string | undefined
  let from: string | undefined
  let to: string[] = []
  let data: string | undefined
  let rest = ''
  const say = (text: string) => void socket.write(`${text}\r\n`)

  const commands: Readonly<Record<string, (parameters: string) => void>> = {
    EHLO: () => {
      const extensions = ['8BITMIME', 'ENHANCEDSTATUSCODES']
      if (options.tls !== undefined && !secure) extensions.push('STARTTLS')
      if (options.login !== undefined && (secure || options.tls === undefined)) extensions.push('AUTH PLAIN')
      say(['250-localhost', ...extensions.slice(0, -1).map(name => `250-${name}`)].join('\r\n'))
      say(`250 ${extensions.at(-1)}`)
    },
    STARTTLS: () => {
      if (options.tls === undefined) return say('502 5.5.1 no TLS here')
      say('220 2.0.0 go ahead')
      line.removeAllListeners('data')
      socket = new TLSSocket(line, { isServer: true, secureContext: createSecureContext(options.tls) })
      socket.on('error', () => line.destroy())
      socket.on('data', receive)
      secure = true
      rest = ''
    },
    AUTH: parameters => {
      const [, name, password] = Buffer.from(parameters.replace(/^PLAIN /i, ''), 'base64')
        .toString()
        .split('\0')
      if (name !== options.login?.user || password !== options.login?.password)
        return say('535 5.7.8 who are you')
      user = name
      say('235 2.7.0 welcome')
    },
    MAIL: parameters => {
      if (options.login !== undefined && user === undefined) return say('530 5.7.0 sign in first')
      from = addressIn(parameters)
      to = []
      say('250 2.1.0 fine')
    },
    RCPT: parameters => {
      const recipient = addressIn(parameters)
      const rejection = options.refuse?.(recipient)
      if (rejection !== undefined) return say(rejection)
      to.push(recipient)
      if (takesRecipients()) say('250 2.1.5 fine')
    },
    DATA: () => {
      if (from === undefined || to.length === 0) return say('503 5.5.1 for whom')
      data = ''
      say('354 go on')
    },
    RSET: () => {
      from = undefined
      say('250 2.0.0 fine')
    },
    NOOP: () => say('250 2.0.0 fine'),
    QUIT: () => {
      say('221 2.0.0 bye')
      socket.end()
    },
  }

  function receive(chunk: Buffer): void {
    rest += chunk.toString('latin1')
    while (true) {
      if (data !== undefined) {
        const end = `\r\n${rest}`.indexOf('\r\n.\r\n')
        if (end < 0) return
        const raw = Buffer.from(rest.slice(0, end), 'latin1').toString()
        rest = rest.slice(end + 3)
        data = undefined
        const mail = { from: from ?? '', to, raw: raw.replaceAll('\r\n..', '\r\n.'), secure, user }
        take(mail, () => say('250 2.0.0 taken'))
        continue
      }
      const end = rest.indexOf('\r\n')
      if (end < 0) return
      const text = rest.slice(0, end)
      rest = rest.slice(end + 2)
      const [, verb = '', parameters = ''] = /^(\w+) ?(.*)$/.exec(text) ?? []
      const command = commands[verb.toUpperCase()]
      if (command === undefined) say('502 5.5.1 what')
      else command(parameters)
    }
  }
  line.on('data', receive)
}

function addressIn(parameters: string): string {
  return /<([^>]*)>/.exec(parameters)?.[1] ?? ''
}
