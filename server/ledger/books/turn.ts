import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/port.ts'
import { type Breach, type BrokenRow, type Check, type Subject, subjectType } from './check.ts'

/** Target time of one statement: on the embedded database the whole server waits for it, audio included. Milliseconds. */
const statementMs = 25
/** Pause between two statements for the server's other work. Milliseconds. */
const restMs = 2
const sizes = { min: 50, first: 100, max: 1000 } as const

/** Checks subjects in batches that fit the time of one statement. */
export interface BooksTurn {
  size(): number
  check(about: Subject, subjects: readonly string[]): Promise<void>
  walk(about: Subject, pages: (size: () => number) => AsyncIterable<readonly string[]>): Promise<void>
  breaches(): readonly Breach[]
}

/** @param onProgress called between statements, as a sign of life */
export function createBooksTurn(
  db: Db,
  checks: readonly Check[],
  onProgress: () => Promise<void> = async () => undefined,
): BooksTurn {
  const found = new Map<Check, Map<string, BrokenRow>>()
  let size: number = sizes.first
  const turn: BooksTurn = {
    size: () => size,
    check: async (about, subjects) => {
      for (let begin = 0; begin < subjects.length; begin += sizes.max) {
        const some = subjects.slice(begin, begin + sizes.max)
        for (const check of checks) if (check.about === about) await one(check, some)
      }
    },
    walk: async (about, pages) => {
      for await (const subjects of pages(turn.size)) await turn.check(about, subjects)
    },
    breaches: () =>
      [...found].map(([{ invariant, about }, rows]) => ({ invariant, about, rows: [...rows.values()] })),
  }
  return turn

  async function one(check: Check, subjects: readonly string[]): Promise<void> {
    const among = (column: string) => `${column} = any($1::${subjectType[check.about]}[])`
    const beganMs = performance.now()
    const rows = await db.query<BrokenRow>(check.sql(among), [subjects])
    const tookMs = performance.now() - beganMs
    if (tookMs > statementMs) size = Math.max(sizes.min, Math.floor(size / 2))
    else if (tookMs < statementMs / 4) size = Math.min(sizes.max, Math.ceil(size * 1.05))
    if (rows.length > 0) {
      const known = found.get(check) ?? new Map<string, BrokenRow>()
      for (const row of rows) known.set(row.subject, row)
      found.set(check, known)
    }
    await sleep(restMs)
    await onProgress()
  }
}
