/** The peer: checks a password against an argon2id hash of our cost, and does nothing else. Arguments: port, hash. */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { verifyPassword } from '#server/identity/passwords.ts'

const hash = String(process.argv[3])
createServer((request, response) => {
  void json(request)
    .then(body => verifyPassword(hash, String((body as { password: unknown }).password)))
    .then(right => {
      response.writeHead(right ? 200 : 401, { 'content-type': 'application/json; charset=utf-8' })
      response.end('{}')
    })
}).listen(Number(process.argv[2]), 'localhost', () => process.send?.('ready'))
