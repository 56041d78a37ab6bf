import { StartError } from '../start-error.ts'
import { readPostgresAddress } from './postgres-address.ts'
import { connectPostgres, type PostgresConnection } from './postgres-connection.ts'

/** Any number that nothing else in this database locks. */
const advisoryLock = 4_276_546

/**
 * How a process stands to the others on its database. `alone`: it carries calls itself, by the local exchange, and nobody
 * else could be asked about them. `among others`: its calls live in a network that every process can ask.
 */
export type Place = 'alone' | 'among others'

export interface ProcessPlace {
  /** Leaves the place to others. */
  release(): Promise<void>
}

export interface PlaceTimes {
  /** How long a start waits for one that is just stopping, in milliseconds. */
  readonly waitMs?: number
  /** How often the place is looked after, in milliseconds. */
  readonly watchMs?: number
}

/**
 * Takes a place on the database for as long as this process lives: a lock of a session, which PostgreSQL drops when the
 * process dies, however it dies. A session that is lost while the process lives is replaced, and the lock taken again.
 * @param onTrouble told once when the place cannot be had again because somebody took it meanwhile
 * @throws StartError when one of those that are there, or this one, has to be alone
 */
export async function takePlace(
  databaseUrl: string,
  place: Place,
  onTrouble: (message: string) => void,
  { waitMs = 5000, watchMs = 5000 }: PlaceTimes = {},
): Promise<ProcessPlace> {
  let session: PostgresConnection | undefined
  // Whether this very session has the lock: taken twice, it would be had twice.
  let held = false
  const take = async (): Promise<boolean> => {
    if (session === undefined || session.isLost()) {
      held = false
      session = await openSession(databaseUrl)
    }
    held ||= await tryLock(session, place)
    return held
  }
  const until = performance.now() + waitMs
  while (!(await take())) {
    if (performance.now() > until) {
      await session?.close()
      throw new StartError(refusals[place])
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }

  let told = false
  let watching: Promise<void> | undefined
  const lookAfter = async () => {
    try {
      // The session may be gone without our having been told.
      if (session !== undefined && !session.isLost()) await session.query('select 1', [])
      const taken = await take()
      if (!taken && !told) onTrouble(refusals[place])
      told = !taken
    } catch {
      // The database is away; it says so wherever it is asked for something.
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

const refusals: Readonly<Record<Place, string>> = {
  alone:
    'Another Farline process is running on this database, and the local exchange carries calls in one process only. ' +
    'Stop that one first, or set the TWILIO_ variables in all of them (docs/operating/scale-out.md).',
  'among others':
    'A Farline process with the local exchange is running on this database, and it has to be the only one. Stop it first.',
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
