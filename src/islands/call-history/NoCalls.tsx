import { Phone } from 'lucide-react'
import styles from './call-history.module.css'

export function NoCalls() {
  return (
    <div className={`none ${styles.none}`}>
      <div className="stamp" aria-hidden="true">
        <div className="plate">
          <img src="/art/telephone.svg" alt="" width="200" height="200" />
        </div>
      </div>
      <div>
        <h2>No calls yet</h2>
        <p className="soft">Your first one is free. It will be listed here with its length and cost.</p>
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
