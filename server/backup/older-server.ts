import { Transform } from 'node:stream'

/** What pg_restore 17 and later begin with, and PostgreSQL 16 and earlier do not know. */
const setting = Buffer.from('SET transaction_timeout = 0;\n')
/** Settings stand at the very beginning; beyond, the same words would be somebody's data. */
const headBytes = 4096

/** Leaves the line out that a server older than pg_restore refuses: its value is the default of those that know it. */
export function withoutTransactionTimeout(): Transform {
  let head: Buffer | undefined = Buffer.alloc(0)
  const strip = (bytes: Buffer): Buffer => {
    const at = bytes.subarray(0, headBytes).indexOf(setting)
    const begins = at === 0 || bytes[at - 1] === 10
    return at < 0 || !begins
      ? bytes
      : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + setting.length)])
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (head === undefined) return done(null, chunk)
      head = Buffer.concat([head, chunk])
      if (head.length < headBytes) return done()
      const stripped = strip(head)
      head = undefined
      done(null, stripped)
    },
    flush(done) {
      done(null, head === undefined ? undefined : strip(head))
    },
  })
}
