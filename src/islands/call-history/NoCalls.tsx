import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { $user } from '#session/user.ts'
import styles from './call-history.module.css'

export function NoCalls() {
  // The account decides: records can be deleted, and another account of the person may have used the free call.
  const free = useStore($user)?.has_used_free_call === false
  return (
    <div className={`none ${styles.none}`}>
      <div className="stamp" aria-hidden="true">
        <div className="plate">
          <img src="/art/telephone.svg" alt="" width="200" height="200" />
        </div>
      </div>
      <div>
        <h2>No calls yet</h2>
        <p className="soft">
          {free
            ? "Your first one is free. Afterwards you'll see its length and cost here."
            : 'Your calls will be here, with their length and cost.'}
        </p>
        <div className="go">
          <a className="btn call" href="/call">
            <Phone className="i" />
            Make a Call
          </a>
        </div>
      </div>
    </div>
  )
}
