import { useStore } from '@nanostores/react'
import { Copy } from 'lucide-react'
import styles from './referrals.module.css'
import { $copied, type Copied, copyLink } from './referrals.ts'

const outcome: Readonly<Record<Copied, string>> = {
  not_yet: '',
  copied: 'Link copied.',
  failed: "Your browser won't let us copy. Select the link and copy it yourself.",
}

export function OwnLink({ link }: { readonly link: string }) {
  const copied = useStore($copied)
  return (
    <div className={`field ${styles.link}`}>
      <label htmlFor="own-link">Your link</label>
      <div className="joined">
        <input
          className="input"
          id="own-link"
          readOnly
          value={link}
          onFocus={event => event.currentTarget.select()}
        />
        <button type="button" className="btn primary" onClick={() => void copyLink()}>
          <Copy className="i" />
          Copy
        </button>
      </div>
      <p className={`small ${styles.outcome}`} role="status">
        {outcome[copied]}
      </p>
    </div>
  )
}
