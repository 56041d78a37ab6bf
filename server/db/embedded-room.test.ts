import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { watchRoom } from './embedded-room.ts'
import { DatabaseUnavailable } from './port.ts'

const room = watchRoom({ exec: async () => [] }, tmpdir())

test.each(['53100', '53200'])('SQLSTATE %s means that the database is unavailable, with its reason', code => {
  const error = Object.assign(new Error('could not extend file: No space left on device'), { code })
  const explained = room.explain(error)
  expect(explained).toBeInstanceOf(DatabaseUnavailable)
  expect(explained).toMatchObject({
    message: 'the database is out of space (could not extend file: No space left on device)',
    cause: error,
  })
})

test('every other error stays what it is, and so does a write in a transaction that is read-only by itself', () => {
  for (const code of ['23505', '25006', undefined]) {
    const error = Object.assign(new Error('no'), { code })
    expect(room.explain(error)).toBe(error)
  }
})
