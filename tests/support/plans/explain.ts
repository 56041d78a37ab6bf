import type { Database, Db, Parameter, Transaction, TransactionOptions } from '#server/db/port.ts'

/** A part of a statement's plan, and how many rows of one table it read. */
export interface Scan {
  readonly sql: string
  readonly node: string
  readonly table: string
  readonly rowsRead: number
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** A PostgreSQL that first runs each new statement with `explain analyze` and rolls it back. */
export interface ExplainingDatabase {
  readonly db: Database
  /** Of all statements so far, each once. */
  scans(): readonly Scan[]
  /** Number of statements that had a plan worth checking. */
  explained(): number
}

class Undone extends Error {}

export function explainEach(database: Database): ExplainingDatabase {
  const seen = new Set<string>()
  const scans: Scan[] = []
  const isNew = (sql: string) => {
    // Statements without a lookup have no plan worth checking.
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(sql) || !/\bfrom\b|\bwhere\b/i.test(sql))
      return false
    if (seen.has(sql)) return false
    seen.add(sql)
    return true
  }
  const explain = async (tx: Db, sql: string, parameters: readonly Parameter[]) => {
    const [row] = await tx.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (analyze, timing off, format json) ${sql}`,
      parameters,
    )
    for (const { Plan } of row?.['QUERY PLAN'] ?? []) scans.push(...scansOf(sql, Plan))
  }
  const inside = (tx: Transaction): Transaction => ({
    query: async <Row>(sql: string, parameters: readonly Parameter[] = []) => {
      if (isNew(sql)) {
        await tx.script('savepoint explained')
        await explain(tx, sql, parameters)
        await tx.script('rollback to savepoint explained')
      }
      return tx.query<Row>(sql, parameters)
    },
    script: sql => tx.script(sql),
    transaction: (work, options) => tx.transaction(nested => work(inside(nested)), options),
  })
  const db: Database = {
    query: async <Row>(sql: string, parameters: readonly Parameter[] = []) => {
      if (isNew(sql)) {
        const undone = database.transaction(
          async tx => {
            await explain(tx, sql, parameters)
            throw new Undone()
          },
          { unlimited: true },
        )
        await undone.catch(error => {
          if (!(error instanceof Undone)) throw error
        })
      }
      return database.query<Row>(sql, parameters)
    },
    transaction: <Value>(work: (tx: Transaction) => Promise<Value>, options?: TransactionOptions) =>
      database.transaction(tx => work(inside(tx)), options),
    close: () => database.close(),
  }
  return { db, scans: () => scans, explained: () => seen.size }
}

function scansOf(sql: string, node: PlanNode): Scan[] {
  const table = node['Relation Name']
  const perLoop =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  const own =
    table !== undefined && node['Node Type'].endsWith(' Scan')
      ? [{ sql, node: node['Node Type'], table, rowsRead: perLoop * (node['Actual Loops'] ?? 0) }]
      : []
  return [...own, ...(node.Plans ?? []).flatMap(child => scansOf(sql, child))]
}
