/** The peer: a socket.io server that takes every socket and says yes to its registering. Argument: port. */
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import type { Usage } from './peer.ts'

const server = createServer()
const io = new Server(server, { serveClient: false })
io.on('connection', socket => {
  socket.once('register', (_userId: string, acknowledge: (accepted: boolean) => void) => acknowledge(true))
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({
    residentBytes: process.memoryUsage().rss,
    cpuSeconds: (user + system) / 1e6,
  } satisfies Usage)
})
server.listen(Number(process.argv[2]), 'localhost', () => process.send?.('ready'))
