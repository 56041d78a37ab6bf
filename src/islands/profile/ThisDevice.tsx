import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $installOffered, canOpenPhoneLinks, followInstallOffer } from '#stores/app-install.ts'
import { OnThisDevice } from '../app/OnThisDevice.tsx'
import { Section } from './Section.tsx'

/** The site as an app, where the browser offers such a thing; else nothing. */
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
