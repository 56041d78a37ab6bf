import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { projectRoot } from '../../fingerprint.mjs'

const english = 'src/content/faq'

/**
 * What is wrong with a language's questions, a line each: a file that is missing, that English does not have, or whose links or facts
 * (`{{name}}`) are not those of the English file.
 * @param {string} tag
 * @returns {string[]}
 */
export function contentFaultsOf(tag, root = projectRoot) {
  const folder = `src/languages/${tag}/faq`
  const [ours, theirs] = [read(root, english), read(root, folder)]
  return [...new Set([...ours.keys(), ...theirs.keys()])].sort().flatMap(name => {
    const fault = faultOf(ours.get(name), theirs.get(name))
    return fault === undefined ? [] : [`${folder}/${name}: ${fault}`]
  })
}

function read(root, folder) {
  const files = globSync(`${folder}/[!_]*.md`, { cwd: root })
  return new Map(files.map(file => [basename(file), readFileSync(join(root, file), 'utf8')]))
}

function faultOf(ours, theirs) {
  if (theirs === undefined) return 'is missing'
  if (ours === undefined) return `has no question in ${english}`
  const [wanted, found] = [ours, theirs].map(text =>
    (text.match(/\]\([^)]*\)|\{\{.*?\}\}/g) ?? []).sort().join(' '),
  )
  return wanted === found ? undefined : `has the links and facts ${found}, not ${wanted}`
}
