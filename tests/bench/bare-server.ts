import { createServer } from 'node:http'

/** The peer: the smallest server that sends the same JSON. */
const body = JSON.stringify({ isoCode: 'GB', ourRate: 0.02, kind: 'landline', freeMinutes: 5 })
createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
  response.end(body)
}).listen(Number(process.argv[2]), 'localhost', () => process.send?.('ready'))
