import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const debian = '/usr/lib/postgresql'

/** The directory of `initdb` and `postgres`, newest version first; undefined if not installed. */
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
