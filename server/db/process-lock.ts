import { StartError } from '../process/start-error.ts'
import { readPostgresAddress } from './postgres-address.ts'
import { connectPostgres, type PostgresConnection } from './postgres-connection.ts'

/** Arbitrary, but unique among the advisory locks of this database. */
const advisoryLock = 4_276_546

/** `alone`: this process carries its calls itself. `among others`: they live at a carrier that each process can ask. */
export type Place = 'alone' | 'among others'

export interface ProcessPlace {
  release(): Promise<void>
}

export interface PlaceTimes {
  /** How long a start waits for a stopping process, in milliseconds. */
  readonly waitMs?: number
  readonly watchMs?: number
}

/**
 * Locks the database for as long as this process lives: a session lock, which PostgreSQL drops when the process dies. A
 * lost session is replaced and the lock acquired again.
 * @param onTrouble called once if another process has taken the lock meanwhile
 * @throws StartError when this process, or one that holds the lock, must be alone
 */
export async function acquireProcessLock(
  databaseUrl: string,
  place: Place,
  onTrouble: (message: string) => void,
  { waitMs = 5000, watchMs = 5000 }: PlaceTimes = {},
): Promise<ProcessPlace> {
  let session: PostgresConnection | undefined
  // Session locks nest: acquired twice, it would have to be released twice.
  let held = false
  const acquire = async (): Promise<boolean> => {
    if (session === undefined || session.isLost()) {
      held = false
      session = await openSession(databaseUrl)
    }
    held ||= await tryLock(session, place)
    return held
  }
  const until = performance.now() + waitMs
  while (!(await acquire())) {
    if (performance.now() > until) {
      await session?.close()
      throw new StartError(lockMessages[place])
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }

  let reported = false
  let watching: Promise<void> | undefined
  const lookAfter = async () => {
    try {
      // The session may have gone without notice.
      if (session !== undefined && !session.isLost()) await session.query('select 1', [])
      const taken = await acquire()
      if (!taken && !reported) onTrouble(lockMessages[place])
      reported = !taken
    } catch {
      // The database is unavailable; every query reports that.
    }
  }
  const timer = setInterval(() => {
    watching ??= lookAfter().finally(() => {
      watching = undefined
    })
  }, watchMs)
  timer.unref()
  return {
    release: async () => {
      clearInterval(timer)
      await watching
      await session?.close()
    },
  }
}

const lockMessages: Readonly<Record<Place, string>> = {
  alone:
    'Another Farline process is running on this database, but the local exchange works in a single process only. ' +
    'Stop that process first, or set the TWILIO_ variables in all processes (docs/operating/scale-out.md).',
  'among others':
    'A Farline process with the local exchange is running on this database, and must be the only one. Stop it first.',
}

function openSession(databaseUrl: string): Promise<PostgresConnection> {
  return connectPostgres(readPostgresAddress(databaseUrl), {
    connectMs: 10_000,
    statementMs: 10_000,
    idleInTransactionMs: 30_000,
    answerGraceMs: 5000,
  })
}

async function tryLock(session: PostgresConnection, place: Place): Promise<boolean> {
  const lock = place === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
  const [row] = await session.query<{ taken: boolean }>(`select ${lock}($1) as taken`, [advisoryLock])
  return row?.taken === true
}
