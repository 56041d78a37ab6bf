// Finds PostgreSQL's own programs, which the tests start a throw-away server with.
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const debian = '/usr/lib/postgresql'

/** The directory that holds `initdb` and `postgres`, the newest where there are several. Undefined: not installed. */
export function findPostgresPrograms() {
  return directories().find(directory =>
    ['initdb', 'postgres'].every(program => existsSync(join(directory, program))),
  )
}

function directories() {
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one))
  return [
    ...newestFirst.map(version => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter).filter(directory => directory !== ''),
  ]
}
