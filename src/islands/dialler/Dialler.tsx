import { startTransition, useEffect, useState } from 'react'
import { openDialler } from './dialler.ts'
import { Phone } from './Phone.tsx'
import { useLazyDialler } from './use-lazy-dialler.ts'

export function Dialler() {
  const lazy = useLazyDialler(true)
  // What is around it renders after the phone, so that keys pressed meanwhile are handled.
  const [isPhoneWhole, setPhoneWhole] = useState(false)
  useEffect(openDialler, [])
  useEffect(() => {
    if (lazy !== null) startTransition(() => setPhoneWhole(true))
  }, [lazy])
  return (
    <div className="desk">
      <Phone />
      {lazy && isPhoneWhole && <lazy.Around />}
    </div>
  )
}
