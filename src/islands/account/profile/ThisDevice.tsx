import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $installOffered, canOpenPhoneLinks, followInstallOffer } from '#shared/app-install/app-install.ts'
import { OnThisDevice } from '#shared/app-install/OnThisDevice.tsx'
import { Section } from './Section.tsx'

/** Offers to install the site as an app. Empty where the browser does not support it. */
export function ThisDevice() {
  const offered = useStore($installOffered)
  const [links] = useState(canOpenPhoneLinks)
  useEffect(followInstallOffer, [])
  if (!offered && !links) return null
  return (
    <Section
      id="profile-device"
      title="On this device"
      about="A window of its own, and numbers on other pages that open here. Your browser asks first."
    >
      <OnThisDevice />
    </Section>
  )
}
