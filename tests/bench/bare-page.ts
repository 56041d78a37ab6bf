/** The peer: the smallest server that sends one page of the built site, compressed already. Arguments: port, file. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = readFileSync(String(process.argv[3]))
createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-length': body.byteLength,
  })
  response.end(body)
}).listen(Number(process.argv[2]), 'localhost', () => process.send?.('ready'))
