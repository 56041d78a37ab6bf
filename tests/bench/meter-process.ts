/**
 * One server process as far as metering goes, over the PostgreSQL at the address given: starts when told for
 * how many seconds, and then says over IPC when it charged.
 */
import { openPostgres } from '#server/db/postgres.ts'
import { runMeter } from './meter-run.ts'

const db = await openPostgres(String(process.argv[2]))
process.once('message', (seconds: number) => {
  void runMeter(db, seconds).then(async turns => {
    await db.close()
    process.send?.(turns, () => process.exit(0))
  })
})
process.send?.('ready')
