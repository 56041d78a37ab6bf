import { useStore } from '@nanostores/react'
import { Copy } from 'lucide-react'
import styles from './referrals.module.css'
import { $copied, copyLink } from './referrals.ts'
import { texts } from './texts.ts'

export function OwnLink({ link }: { readonly link: string }) {
  const copied = useStore($copied)
  const outcome = { not_yet: '', copied: texts.copied, failed: texts.notCopied } as const
  return (
    <div className={`field ${styles.link}`}>
      <label htmlFor="own-link">{texts.yourLink}</label>
      <div className="joined">
        <input
          className="input"
          id="own-link"
          dir="ltr"
          readOnly
          value={link}
          onFocus={event => event.currentTarget.select()}
        />
        <button type="button" className="btn primary" onClick={() => void copyLink()}>
          <Copy className="i" />
          {texts.copy}
        </button>
      </div>
      <p className={`small ${styles.outcome}`} role="status">
        {outcome[copied]}
      </p>
    </div>
  )
}
