import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import styles from './app-install.module.css'
import {
  $installOffered,
  canOpenPhoneLinks,
  followInstallOffer,
  installApp,
  openPhoneLinksHere,
} from './app-install.ts'
import { texts } from './texts.ts'

/** Offers to install the site as an app, only where the browser supports it and only after a press. */
export function OnThisDevice() {
  const offered = useStore($installOffered)
  const [links] = useState(canOpenPhoneLinks)
  const [asked, setAsked] = useState(false)
  useEffect(followInstallOffer, [])
  if (!offered && !links) return null
  return (
    <div className={styles['device']}>
      {offered && (
        <button type="button" className="btn plain small" onClick={() => void installApp()}>
          {texts.install}
        </button>
      )}
      {links && (
        <button
          type="button"
          className="btn plain small"
          onClick={() => {
            openPhoneLinksHere()
            setAsked(true)
          }}
        >
          {texts.openLinks}
        </button>
      )}
      <p role="status" className={asked ? 'small soft' : 'sr'}>
        {asked && texts.permission}
      </p>
    </div>
  )
}
