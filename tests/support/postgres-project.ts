import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

/** Global setup of projects on PostgreSQL: one server per run, one database per world. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('engine', { kind: 'postgres', serverUrl: server.url })
  return server.stop
}
