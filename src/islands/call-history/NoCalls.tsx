import { useStore } from '@nanostores/react'
import { Phone } from 'lucide-react'
import { localPath } from '#lib/i18n/path.ts'
import { $user } from '#session/user.ts'
import styles from './call-history.module.css'
import { texts } from './texts.ts'

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
        <h2>{texts.noCalls}</h2>
        <p className="soft">{free ? texts.firstIsFree : texts.callsHere}</p>
        <div className="go">
          <a className="btn call" href={localPath('/call')}>
            <Phone className="i" />
            {texts.makeCall}
          </a>
        </div>
      </div>
    </div>
  )
}
