import { createHash } from 'node:crypto'
import { statementsOf } from './statements.mjs'

/** Attribute for the script file of a page that is readable without it: `Later.astro`. */
const waiting = 'data-later'

/** Characters. A shorter script costs less inline than as a request. */
const smallest = 1000

/**
 * Moves long scripts out of the page bodies into shared files: inlined, the framework's script for islands and the
 * watch over chunks that fail to load fill the first packets of every page with an island. A page that waits gets all
 * its scripts in one file, in order, which imports those that are files already. Scripts in the head must run before the
 * first paint and stay.
 * @returns {Map<string, string>} the files by address
 * @throws {Error} when a script of a page that waits imports another
 */
export function shareScripts(pages) {
  const files = new Map()
  const keep = script => {
    const address = `/_astro/shared.${createHash('sha256').update(script).digest('base64url').slice(0, 8)}.js`
    files.set(address, script)
    return address
  }
  for (const page of pages) {
    const scripts = page.named('script')
    const movable = scripts.filter(script => isMovable(script) && page.textOf(script) !== '')
    const waits = page.elements.find(({ attributes }) => attributes.get(waiting) === '')
    if (waits) {
      const files = scripts.filter(isModuleFile)
      for (const script of [...movable, ...files]) page.replace(script, '')
      const held = movable.map(script => page.textOf(script))
      const imports = files.map(({ attributes }) => `import${JSON.stringify(attributes.get('src'))};\n`)
      page.setAttribute(waits, waiting, keep(imports.join('') + oneAfterTheOther(held)))
      continue
    }
    for (const script of movable) {
      const text = page.textOf(script)
      const how = script.attributes.has('type') ? 'type="module"' : 'async'
      if (text.length >= smallest) page.replace(script, `<script ${how} src="${keep(text)}"></script>`)
    }
  }
  return files
}

/** Whether a script of the body runs, and says nothing else about itself that its place would decide. */
function isMovable({ attributes, isInHead }) {
  const isPlain = attributes.size === 0
  const isModule = attributes.size === 1 && attributes.get('type') === 'module'
  return !isInHead && (isPlain || isModule)
}

/** Whether a script of the body runs a file of modules. Such a file runs when the page is read, so it can also run later. */
function isModuleFile({ attributes, isInHead, isInTemplate }) {
  return !isInHead && !isInTemplate && attributes.get('type') === 'module' && attributes.has('src')
}

/** Joins scripts into one module, each in its own function: the bundler writes `var`, which a block does not hold. */
function oneAfterTheOther(scripts) {
  const importing = scripts.find(script => statementsOf(script).some(isOfModules))
  if (importing !== undefined)
    throw new Error(`a script that imports cannot wait: ${importing.slice(0, 100)}`)
  return scripts.map(script => `(()=>{${script}\n})();`).join('\n')
}

/** Whether a statement may stand at the top of a module alone. */
function isOfModules({ type }) {
  return /^(?:Import|Export)\w*Declaration$/.test(type)
}
