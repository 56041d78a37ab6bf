import { changedAt } from '../../src/layouts/changed-at.ts'
import { isUnlisted } from '../../src/layouts/unlisted.ts'
import { isEnglishOnly, isUntranslated } from '../../src/layouts/untranslated.ts'
import { sourceLanguage } from '../../src/lib/i18n/language.ts'
import { pathIn, splitPath } from '../../src/lib/i18n/path.ts'

/**
 * What search engines are told: the pages for everybody, each with the date it last changed and its address in every language. Each
 * language has a file of its own; English is in `sitemap-pages-0.xml`. The addresses are here and not in the pages, whose first
 * packets they would fill.
 * @param {readonly string[]} tags of the languages besides English
 * @returns {import('@astrojs/sitemap').SitemapOptions}
 */
export function sitemapOptions(tags) {
  const placeOf = address => splitPath(new URL(address).pathname, tags)
  const isListed = address => {
    const { language, route } = placeOf(address)
    // A page of another language with an English text is the English page once more.
    return !(isUnlisted(route) || (language !== sourceLanguage && isUntranslated(route)))
  }
  const linksOf = address => {
    const { route } = placeOf(address)
    if (tags.length === 0 || isUntranslated(route) || isEnglishOnly(route)) return undefined
    const link = (lang, path) => ({ lang, url: new URL(path, address).href })
    return [...[sourceLanguage, ...tags].map(tag => link(tag, pathIn(tag, route))), link('x-default', route)]
  }
  const file = tag => item => (placeOf(item.url).language === tag ? item : undefined)
  return {
    filter: isListed,
    serialize: item => ({
      ...item,
      lastmod: changedAt(placeOf(item.url).route)?.toISOString(),
      links: linksOf(item.url),
    }),
    chunks: Object.fromEntries(tags.map(tag => [tag, file(tag)])),
    namespaces: { news: false, xhtml: tags.length > 0, image: false, video: false },
  }
}
