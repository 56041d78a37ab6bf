// `npm run sbom`: prints the production packages as a CycloneDX bill of materials. The build writes the same beside the
// server's data. Runs on Node 20 too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/**
 * A lockfile's packages as JSON of CycloneDX 1.6: all that `npm ci --omit=dev` may install, on any platform. Made from
 * the lockfile alone, so it needs no network and is reproducible (hence no serial number and no time). `npm sbom` fails
 * while a package names another version of an optional peer than ours.
 */
export function billOfMaterials(root = projectRoot) {
  const { name, version, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const parts = new Map()
  for (const [path, part] of Object.entries(packages)) {
    if (path === '' || part.dev === true || part.link === true) continue
    const component = componentOf(path, part)
    const same = parts.get(component['bom-ref'])
    // Installed twice, once as a required package.
    if (same === undefined || same.scope === 'optional') parts.set(component['bom-ref'], component)
  }
  const components = [...parts.values()].sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1))
  const product = { type: 'application', 'bom-ref': `${name}@${version}`, name, version }
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: product } }
  return `${JSON.stringify({ ...bill, components }, null, 2)}\n`
}

/** @param {string} path in the tree, such as `node_modules/one/node_modules/@scope/two` */
function componentOf(path, part) {
  const whole = part.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [group, name] = whole.startsWith('@') ? whole.split('/') : [undefined, whole]
  const purl = `pkg:npm/${whole.replace('@', '%40')}@${part.version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name,
    version: part.version,
    scope: part.optional === true ? 'optional' : 'required',
    ...(part.integrity === undefined ? {} : { hashes: part.integrity.split(' ').map(hashOf) }),
    ...(part.license === undefined ? {} : { licenses: [licenceOf(part.license)] }),
    purl,
  }
}

/** @param {string} integrity such as `sha512-` and base64 */
function hashOf(integrity) {
  const [algorithm, content] = integrity.split('-', 2)
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(content, 'base64').toString('hex'),
  }
}

/** @param {string} text one SPDX name, an expression of several, or `SEE LICENSE IN` a file */
function licenceOf(text) {
  if (/^[\w.+-]+$/.test(text)) return { license: { id: text } }
  return /^[\w.+\s()-]+$/.test(text) && / (?:AND|OR|WITH) /.test(text)
    ? { expression: text }
    : { license: { name: text } }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(billOfMaterials())
