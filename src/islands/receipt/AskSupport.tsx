import styles from './receipt.module.css'
import { texts } from './texts.ts'

/** Leads to the support form, which then names the receipt. */
export function AskSupport({ about, href }: { readonly about: 'call' | 'payment'; readonly href: string }) {
  return (
    <p className={`small soft noprint ${styles['ask']}`}>
      {texts.ask({
        about,
        write: label => (
          <a key="write" href={href}>
            {label}
          </a>
        ),
      })}
    </p>
  )
}
