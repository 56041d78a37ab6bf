import { Transform } from 'node:stream'

/** Written by pg_restore 17 and later, unknown to PostgreSQL 16 and earlier. */
const setting = Buffer.from('SET transaction_timeout = 0;\n')
/** The settings are at the very beginning; further on the same text could be user data. */
const headBytes = 4096

/** Removes the setting that a server older than pg_restore rejects. Its value is the default of newer servers. */
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
