import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'

function record(write: (log: ReturnType<typeof createLog>) => void): string {
  let lines = ''
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines += String(chunk)
      done()
    },
  })
  write(createLog('info', stream))
  return lines
}

test("a database error is logged without its parameters, which hold people's addresses and numbers", () => {
  const error = Object.assign(new Error('invalid input'), {
    code: '22P02',
    query: 'select 1',
    params: ['secret.person@example.com', '+442079460958'],
  })
  const lines = record(log => log.error({ err: error }, 'request failed'))
  expect(JSON.parse(lines)).toMatchObject({ err: { message: 'invalid input', code: '22P02' } })
  expect(lines).not.toMatch(/secret|2079460958/)
})

test('a request is logged by its pattern, without its address, headers or what it asks', () => {
  const request = {
    method: 'GET',
    url: '/api/rates/number/+442079460958?token=secret',
    headers: { authorization: 'Bearer secret' },
    ip: '203.0.113.9',
    routeOptions: { url: '/api/rates/number/:fullNumber' },
  }
  const lines = record(log => log.info({ req: request }, 'incoming request'))
  expect(JSON.parse(lines).req).toEqual({ method: 'GET', route: '/api/rates/number/:fullNumber' })
  expect(lines).not.toMatch(/secret|2079460958|203\.0\.113/)
})
