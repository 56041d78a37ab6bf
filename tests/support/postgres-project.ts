import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

/** Global set-up of the projects that run on PostgreSQL: one server per run, one database per world. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('engine', { kind: 'postgres', serverUrl: server.url })
  return server.stop
}
