/**
 * Opens sockets as our pages do, by hand: a client of socket.io's own for each would be heavier than what is measured.
 * Arguments: address of the server, how many, then user ids and access tokens by turns. Says over IPC when all are registered.
 */
import WebSocket from 'ws'

const [address = '', count = '0', ...identities] = process.argv.slice(2)
/** Handshakes under way at once. */
const atOnce = 50
/** The local addresses, by turns: each has ports of its own. */
const localAddresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']

let opened = 0
const openNext = async (): Promise<void> => {
  while (opened < Number(count)) await open(opened++)
}
await Promise.all(Array.from({ length: atOnce }, openNext))
process.send?.('ready')
process.on('disconnect', () => process.exit(0))

/** Engine.IO 4 and Socket.IO 5 on the wire: `0` open, `40` connect, `42` event, `43` acknowledgement, `2` ping, `3` pong. */
function open(index: number): Promise<void> {
  const identity = (index * 2) % identities.length
  const [userId = '', token = ''] = [identities[identity], identities[identity + 1]]
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${address}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
      localAddress: localAddresses[index % localAddresses.length],
    })
    socket.on('error', reject)
    socket.on('message', data => {
      const text = String(data)
      if (text === '2') socket.send('3')
      else if (text.startsWith('0')) socket.send(`40${JSON.stringify({ token })}`)
      else if (text.startsWith('40')) socket.send(`420${JSON.stringify(['register', userId])}`)
      else if (text === '430[true]') resolve()
      else if (text.startsWith('44') || text.startsWith('430')) reject(new Error(`refused: ${text}`))
    })
  })
}
