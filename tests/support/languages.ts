// @vocabulary words: they are words of a language.
import { globSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { addLanguage } from '#lib/i18n/messages.ts'
import { countriesByIso } from '#lib/numbers/countries.ts'
import { readEnglish, readLanguages } from '#scripts/build/languages/catalogues.mjs'
import { siteDirectory } from './built-site.ts'

/** Each language that has a folder; their texts can be read with `textsIn`. */
export const languages = readLanguages()
for (const { tag, scopes } of languages) addLanguage(tag, scopes)

/** The languages besides English of the site that was built: the published ones, unless it was built with all. */
export function builtTags(): readonly string[] {
  return globSync('*/faq.html', { cwd: siteDirectory }).map(file => file.replace(/\/.*/, ''))
}

interface VisibleText {
  readonly text: string
  readonly place: string
}

/** What a page says: its texts in sight, and those that are read out. Without parts that are marked as of another language. */
export async function visibleTexts(page: Page): Promise<readonly VisibleText[]> {
  return page.evaluate(() => {
    const found: { text: string; place: string }[] = []
    const { lang } = document.documentElement
    const add = (text: string | null, element: Element, attribute = '') => {
      const trimmed = text?.replace(/\s+/g, ' ').trim()
      if (!trimmed || element.closest('[lang]')?.getAttribute('lang') !== lang) return
      const name = [element.localName, ...element.classList].join('.')
      found.push({ text: trimmed, place: attribute ? `${name}[${attribute}]` : name })
    }
    add(document.title, document.documentElement, 'title')
    const isHidden = (element: Element) =>
      !element.checkVisibility({ visibilityProperty: true }) ||
      element.closest('script, style, template, noscript') !== null
    for (const element of document.body.querySelectorAll('*')) {
      if (isHidden(element)) continue
      for (const attribute of [
        'aria-label',
        'title',
        'alt',
        'placeholder',
        'aria-description',
        'aria-valuetext',
      ])
        add(element.getAttribute(attribute), element, attribute)
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) add(node.textContent, element)
    }
    return found
  })
}

const english: Pick<(typeof languages)[number], 'scopes'> = await readEnglish()

function messagesOf({ scopes }: Pick<(typeof languages)[number], 'scopes'>): readonly string[] {
  return Object.values(scopes).flatMap(messages => Object.values(messages))
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}'’]+/gu) ?? []
}

/** Words that nearly every English sentence has one of. */
const frequent = wordsIn(
  `the your you and of is are was with for from we our this that these it its not by when what how where which call calls calling
  minute minutes credits free please loading search save send sign wait add can't don't couldn't we'll you're`,
)

/** Names and addresses are the same in every language; some countries have their English name in it. */
function withoutNames(text: string, tag: string): string {
  const names = new Intl.DisplayNames(tag, { type: 'region' })
  const isCountry = [...countriesByIso.keys()].some(isoCode => names.of(isoCode) === text)
  return isCountry ? '' : text.replace(/\S+@\S+|https?:\S+|\b(?:Send a Line|First Call)\b/g, '')
}

/**
 * What is English for a reader of a language: a whole text that is another in it, or a frequent word that none of its own messages
 * has (`minute` is French too).
 */
function englishFor(tag: string): (text: string) => boolean {
  const language = languages.find(each => each.tag === tag)
  const own = new Set(language === undefined ? [] : messagesOf(language))
  const texts = new Set(messagesOf(english).filter(text => text !== '' && !own.has(text)))
  // The names of placeholders and tags are English everywhere.
  const ownWords = new Set([...own].flatMap(text => wordsIn(text.replace(/\{\w+|<\/?\w+>/g, ' '))))
  const words = new Set(frequent.filter(word => !ownWords.has(word)))
  return text => texts.has(text) || wordsIn(withoutNames(text, tag)).some(word => words.has(word))
}

/** What a page of a language says in English, with its place. Empty where all is well. */
export async function englishOn(page: Page, tag: string): Promise<readonly string[]> {
  const isEnglish = englishFor(tag)
  const found = (await visibleTexts(page)).filter(({ text }) => isEnglish(text))
  const { pathname } = new URL(page.url())
  return [...new Set(found.map(({ text, place }) => `${pathname} ${place}: ${text}`))]
}

/** The lines of a mail, or of what else is no page, that are English for a reader of a language. */
export function englishIn(text: string, tag: string): readonly string[] {
  return text.split('\n').filter(englishFor(tag))
}

/** Where a page is wider than its window, or cuts a text off. */
export async function misfits(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const name = (element: Element) =>
      `${[element.localName, ...element.classList].join('.')}: ${element.textContent?.trim().slice(0, 60)}`
    const found: string[] = []
    const root = document.scrollingElement as HTMLElement
    if (root.scrollWidth > innerWidth) {
      const wide = [...document.body.querySelectorAll('*')].filter(element => {
        if (!element.checkVisibility({ visibilityProperty: true })) return false
        const { left, right, width } = element.getBoundingClientRect()
        return (
          width > 0 && (left < -1 || right > innerWidth + 1) && getComputedStyle(element).position !== 'fixed'
        )
      })
      found.push(`${root.scrollWidth} px wide: ${wide.slice(-3).map(name).join(' | ')}`)
    }
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (
        !element.checkVisibility({ visibilityProperty: true }) ||
        element.clientWidth < 4 ||
        element.matches('input')
      )
        continue
      const { overflowX, textOverflow, clipPath } = getComputedStyle(element)
      const cuts = /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis' && clipPath === 'none'
      if (!cuts || element.scrollWidth <= element.clientWidth + 1) continue
      const { left, right } = element.getBoundingClientRect()
      const sticksOut = (inner: Element) => {
        const box = inner.getBoundingClientRect()
        return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
      }
      const inside = [...element.querySelectorAll('*')].filter(sticksOut)
      // A picture may be cut off.
      if (inside.length === 0 || inside.some(inner => inner.closest('svg') === null))
        found.push(`cut off: ${name(element)}`)
    }
    return found
  })
}
