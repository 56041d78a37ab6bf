import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { Profile as ProfileRecord } from '#lib/api/profile.ts'
import { localPath } from '#lib/i18n/path.ts'
import { loadUser } from '#session/user.ts'
import { $installOffered, canOpenPhoneLinks, followInstallOffer } from '#shared/app-install/app-install.ts'
import { OnThisDevice } from '#shared/app-install/OnThisDevice.tsx'
import { followAutoTopUp } from '#shared/auto-top-up/auto-top-up.ts'
import { followCallerIds } from '#shared/caller-ids/caller-ids.ts'
import { loadNumberFormat } from '#shared/numbers/number-format.ts'
import { keepFocus } from '#ui/keep-focus.ts'
import { Album } from './album/Album.tsx'
import { loadAlbum } from './album/album.ts'
import type { SuggestedCountry } from './album/EmptyPlace.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Details } from './Details.tsx'
import { Devices } from './Devices.tsx'
import { loadDevices } from './devices.ts'
import { IdCard } from './IdCard.tsx'
import { LanguageChoice, type SiteLanguage } from './LanguageChoice.tsx'
import { Missed } from './Missed.tsx'
import { Numbers } from './Numbers.tsx'
import { Password } from './Password.tsx'
import { Payment } from './Payment.tsx'
import { ProfileWaiting } from './ProfileWaiting.tsx'
import styles from './profile.module.css'
import { $profile, openProfile } from './profile.ts'
import { Section } from './Section.tsx'
import { Spending } from './Spending.tsx'
import { Security } from './security/Security.tsx'
import { loadSecurity } from './security/security.ts'
import { Typing } from './Typing.tsx'
import { texts } from './texts.ts'
import { YourData } from './YourData.tsx'

export interface ProfileProps {
  /** Countries for which the album has a place before they are called. */
  readonly suggested: readonly SuggestedCountry[]
  /** In which the site can be read. */
  readonly languages: readonly SiteLanguage[]
}

export function Profile({ suggested, languages }: ProfileProps) {
  const shown = useStore($profile)
  const region = useRef<HTMLDivElement>(null)
  /** The pressed button disappears, so move the focus to the new content. */
  const retry = async () => {
    await openProfile()
    keepFocus(region)
  }
  useEffect(() => {
    void openProfile()
    // The page may come from the back/forward cache with outdated data.
    const refreshStale = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      void openProfile()
      void loadAlbum()
    }
    // The user may have opened the mailed link in another tab.
    const refreshWaiting = () => {
      if (document.visibilityState === 'visible' && waitsForLink()) void openProfile()
    }
    window.addEventListener('pageshow', refreshStale)
    document.addEventListener('visibilitychange', refreshWaiting)
    return () => {
      window.removeEventListener('pageshow', refreshStale)
      document.removeEventListener('visibilitychange', refreshWaiting)
    }
  }, [])

  switch (shown.state) {
    case 'loading':
      return <ProfileWaiting />
    case 'failed':
      return <Missed message={shown.message} onRetry={() => void retry()} />
    case 'signed_out':
      return (
        <div role="alert">
          <p className="note">
            <span>
              {texts.loggedOut({
                login: label => (
                  <a key="login" href={localPath(`/login?next=${encodeURIComponent(localPath('/profile'))}`)}>
                    {label}
                  </a>
                ),
              })}
            </span>
          </p>
        </div>
      )
    case 'ready':
      return (
        <div ref={region} tabIndex={-1} className={styles['region']}>
          <Account profile={shown.value} suggested={suggested} languages={languages} />
        </div>
      )
    default:
      return shown satisfies never
  }
}

function waitsForLink(): boolean {
  const shown = $profile.get()
  return shown.state === 'ready' && (!shown.value.emailVerified || shown.value.pendingEmail !== null)
}

function Account({ profile, suggested, languages }: ProfileProps & { readonly profile: ProfileRecord }) {
  useEffect(() => {
    const stops = [followCallerIds(), followAutoTopUp()]
    void loadUser()
    void loadAlbum()
    void loadDevices()
    void loadSecurity()
    loadNumberFormat().catch((error: unknown) => console.error('The numbering plans did not load.', error))
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return (
    <>
      <IdCard profile={profile} />
      <Album suggested={suggested} />
      <Details profile={profile} />
      <LanguageChoice languages={languages} />
      <Typing />
      <Numbers />
      <Payment profile={profile} />
      <Spending />
      <Password profile={profile} />
      <Security profile={profile} />
      <Devices profile={profile} />
      <ThisDevice />
      <YourData />
      <DeleteAccount profile={profile} />
    </>
  )
}

/** Offers to install the site as an app. Empty where the browser does not support it. */
function ThisDevice() {
  const offered = useStore($installOffered)
  const [links] = useState(canOpenPhoneLinks)
  useEffect(followInstallOffer, [])
  if (!offered && !links) return null
  return (
    <Section id="profile-device" title={texts.onThisDevice} about={texts.aboutThisDevice}>
      <OnThisDevice />
    </Section>
  )
}
