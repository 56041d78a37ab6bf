import { walk } from 'estree-walker'
import MagicString from 'magic-string'

/** The binding of one text, so that a script holds only what it reads, under a name that the minifier may shorten. */
export function bindingOf(texts, key) {
  return `${texts}$${key}`
}

/**
 * Reads `texts.key` as the binding of that text. Texts that are read another way, as `texts[code]`, are left alone.
 * @param {string} code a module
 * @param {object} program its syntax tree, as ESTree
 * @param {(source: string) => Promise<import('./catalogues.mjs').TextDefinition[]>} definitionsOf what an imported module exports
 */
export async function bindTexts(code, program, definitionsOf) {
  const edited = new MagicString(code)
  /** Name in the module, to the texts that it stands for. */
  const imported = new Map()
  for (const { type, source, specifiers } of program.body) {
    if (type !== 'ImportDeclaration' || !readsTexts(source.raw)) continue
    const definitions = await definitionsOf(source.value)
    for (const specifier of specifiers) {
      const texts = definitions.find(({ name }) => name === specifier.imported?.name)
      if (texts) imported.set(specifier.local.name, { ...texts, from: source.raw, read: new Set() })
    }
  }
  walk(program, {
    enter({ type, computed, object, property, start, end }) {
      const texts = type === 'MemberExpression' && !computed && imported.get(object.name)
      if (!texts || !Object.hasOwn(texts.english, property.name)) return
      texts.read.add(property.name)
      edited.overwrite(start, end, bindingOf(object.name, property.name))
    },
  })
  for (const [local, { name, from, read }] of imported)
    for (const key of read)
      edited.append(`\nimport { ${bindingOf(name, key)} as ${bindingOf(local, key)} } from ${from}`)
  return edited.toString()
}

/** Whether code imports a file of texts. */
export function readsTexts(code) {
  return /[/-]texts\.ts['"]/.test(code)
}
