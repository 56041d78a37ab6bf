import { useLate } from '#ui/use-late.ts'
import { Head } from './Head.tsx'
import styles from './receipt.module.css'

/**
 * The receipt before its data is loaded, as rendered at build time. Head and heading have their final places, so
 * nothing moves later. The skeleton lines appear after a noticeable wait.
 */
export function ReceiptLoading({ title }: { readonly title: string }) {
  const noticed = useLate()
  return (
    <article className="paper1">
      <Head vatNumber={null}>
        {/* Space for the postmark. */}
        <svg className="postmark" viewBox="0 0 196 100" aria-hidden="true" />
      </Head>
      <h1 className={styles['title']}>{title}</h1>
      <p className="sr" role="status">
        {noticed && 'Loading the receipt…'}
      </p>
      <div className={`skel ${styles['waiting']}`} aria-hidden="true">
        {noticed && [0, 1, 2, 3].map(line => <i key={line} />)}
      </div>
    </article>
  )
}
