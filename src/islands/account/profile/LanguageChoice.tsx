import { currentLanguage } from '#lib/i18n/language.ts'
import { pathIn } from '#lib/i18n/path.ts'
import styles from './profile.module.css'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

export interface SiteLanguage {
  /** BCP 47. */
  readonly tag: string
  /** In the language itself. */
  readonly name: string
}

/** The account follows the page: whoever reads on in another language gets e-mails in it. */
export function LanguageChoice({ languages }: { readonly languages: readonly SiteLanguage[] }) {
  if (languages.length < 2) return null
  return (
    <Section id="profile-language" title={texts.language} about={texts.aboutLanguage}>
      <ul className={styles['languages']}>
        {languages.map(({ tag, name }) => (
          <li key={tag}>
            <a
              href={pathIn(tag, '/profile')}
              hrefLang={tag}
              lang={tag}
              aria-current={tag === currentLanguage() ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
