// What `npm run start:trunk` and the tests of trunks need, of Debian's. Everything here must run on Node 20.
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const programs = {
  kamailio: 'kamailio',
  rtpengine: 'rtpengine-daemon',
  sipp: 'sip-tester',
  'redis-server': 'redis-server',
  'redis-cli': 'redis-tools',
}

/** Modules of Kamailio's that `deploy/trunk/kamailio.cfg` always loads and that have a package of their own. */
const modules = { db_redis: 'kamailio-redis-modules', websocket: 'kamailio-websocket-modules' }

/** Debian's directories of programs, for users whose PATH lacks some. */
const programDirectories = ['usr/bin', 'usr/sbin', 'usr/local/bin', 'usr/local/sbin']

/**
 * The Debian packages that are not installed here.
 * @param root the root directory of the system to look at
 * @param path the value of PATH there
 */
export function findMissingTrunkPackages({ root = '/', path = process.env.PATH ?? '' } = {}) {
  const directories = [
    ...path.split(delimiter).filter(directory => directory !== ''),
    ...programDirectories.map(directory => join(root, directory)),
  ]
  const has = program => directories.some(directory => existsSync(join(directory, program)))
  return [
    ...Object.entries(programs).flatMap(([program, name]) => (has(program) ? [] : [name])),
    ...Object.entries(modules).flatMap(([module, name]) => (hasKamailioModule(module, root) ? [] : [name])),
  ]
}

/** Whether Kamailio has this module, in a directory of Debian's or in that of its own builds. */
export function hasKamailioModule(module, root = '/') {
  const libraries = ['usr/lib', 'usr/lib64', 'usr/local/lib', 'usr/local/lib64'].map(name => join(root, name))
  const inside = libraries.flatMap(library =>
    existsSync(library)
      ? readdirSync(library, { withFileTypes: true })
          .filter(entry => entry.isDirectory())
          .map(entry => join(library, entry.name))
      : [],
  )
  return [...libraries, ...inside].some(library =>
    existsSync(join(library, 'kamailio', 'modules', `${module}.so`)),
  )
}

/** What to do about missing packages, with one command to paste. */
export function explainMissingTrunkPackages(packages) {
  return (
    'Calls over trunks need programs of Debian that are not installed here. Install them, as root:\n' +
    `  apt-get install --no-install-recommends ${packages.join(' ')}`
  )
}
