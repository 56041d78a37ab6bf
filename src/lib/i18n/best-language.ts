/**
 * The language, of those there are, that suits a reader best: the first of theirs that is one of ours in the same script.
 * `es-MX` finds `es`, `pt` finds `pt-BR`, and `zh-TW` does not find `zh-Hans`.
 * @param wanted BCP 47 tags, the preferred first; what is no tag is passed over
 * @returns one of `available`; undefined: none suits
 */
export function bestLanguage(wanted: readonly string[], available: readonly string[]): string | undefined {
  for (const tag of wanted) {
    const kind = kindOf(tag)
    const found = kind && available.find(each => kindOf(each) === kind)
    if (found) return found
  }
  return undefined
}

function kindOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  } catch {
    return undefined
  }
}
