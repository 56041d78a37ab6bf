import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'
import { compileMessage } from '../../../src/lib/i18n/compile.ts'
import { sourceLanguage } from '../../../src/lib/i18n/language.ts'
import { projectRoot } from '../../fingerprint.mjs'
import { bindingOf, bindTexts, readsTexts } from './bind-texts.mjs'
import { definesTexts, definitionsIn } from './catalogues.mjs'

/**
 * A Vite plugin: what scripts of the browser import as texts holds no messages but a mark for each. `localise.mjs` puts the
 * messages of a page's language in their place, so a page loads one language, without a request or a byte for it. A mark survives
 * minifying, being a call of a global function. It has a hash of the English message, because the name of a script hashes the marks.
 * In development each text holds all languages of the build and picks one.
 * @param {import('./catalogues.mjs').Language[]} languages besides English; those of development
 */
export function textsPlugin(languages, { development }) {
  return {
    name: 'texts',
    enforce: 'pre',
    async transform(code, id) {
      if (this.environment !== undefined && this.environment.name !== 'client') return undefined
      const file = fileOf(id)
      if (!(/[/-]texts\.ts$/.test(file) && definesTexts(code))) {
        if (development || !readsTexts(code)) return undefined
        const definitionsOf = async source => definitionsIn(fileOf((await this.resolve(source, id)).id))
        return { code: await bindTexts(code, this.parse(code, { lang: 'tsx' }), definitionsOf), map: null }
      }
      const exported = (await definitionsIn(file)).map(({ name, scope, english }) => {
        const texts = Object.entries(english).map(([key, text]) => {
          const value = development ? everyLanguage(languages, scope, key, text) : mark(scope, key, text)
          return `export const ${bindingOf(name, key)} = ${value}\n`
        })
        const all = Object.keys(english).map(key => `${key}: ${bindingOf(name, key)}`)
        return `${texts.join('')}export const ${name} = {\n${all.join(',\n')}\n}\n`
      })
      return { code: `import { formats } from '#lib/i18n/formats.ts'\n${exported.join('')}`, map: null }
    },
  }
}

/** Relative to the root. */
function fileOf(id) {
  return relative(projectRoot, id.replace(/\?.*$/, '')).split(sep).join('/')
}

function mark(scope, key, text) {
  const { placeholders } = compileMessage(text, 'f', sourceLanguage)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 6)
  const rest = placeholders.length === 0 ? '' : ', formats'
  return `/* @__PURE__ */ __message("${scope}.${key}#${hash}"${rest})`
}

const marks = /__message\(\s*(["'`])([\w-]+)\.(\w+)#[\w-]+\1\s*(?:,\s*([\w$]+)\s*)?\)/g

/**
 * Puts messages in the place of marks.
 * @param {string} language of the messages
 * @param {(scope: string, key: string) => string} messageOf
 */
export function fillMarks(code, language, messageOf) {
  return code.replace(marks, (_mark, _quote, scope, key, formats) => {
    const { code: message, placeholders } = compileMessage(messageOf(scope, key), formats ?? '', language)
    return placeholders.length === 0 ? message : `(${message})`
  })
}

export function hasMarks(code) {
  return code.includes('__message(')
}

function everyLanguage(languages, scope, key, english) {
  const all = [
    [sourceLanguage, english],
    ...languages.map(({ tag, scopes }) => [tag, scopes[scope]?.[key] ?? english]),
  ]
  const each = all.map(
    ([tag, text]) => `${JSON.stringify(tag)}: ${compileMessage(text, 'formats', tag).code}`,
  )
  return `({ ${each.join(', ')} })[document.documentElement.lang]`
}
