import { createServer } from 'node:http'

/** The peer: the smallest server that reads what it is sent to the end, and says that it has. */
const body = JSON.stringify({ received: true })
createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    response.end(body)
  })
}).listen(Number(process.argv[2]), 'localhost', () => process.send?.('ready'))
