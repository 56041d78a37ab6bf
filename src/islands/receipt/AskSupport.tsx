import styles from './receipt.module.css'

/** Leads to the support form, which then names the receipt. */
export function AskSupport({ about, href }: { readonly about: 'call' | 'payment'; readonly href: string }) {
  return (
    <p className={`small soft noprint ${styles['ask']}`}>
      Something wrong with this {about}? <a href={href}>Write to us</a>.
    </p>
  )
}
