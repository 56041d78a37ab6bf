import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Handset } from '#voice/handset-call.ts'
import styles from './handset.module.css'
import { $handset } from './handset.ts'
import { $readParty } from './handset-parties.ts'
import { OnHook } from './OnHook.tsx'
import { Ringing } from './Ringing.tsx'
import { Talking } from './Talking.tsx'
import { Waiting } from './Waiting.tsx'

const looks: Readonly<Record<Handset['state'], string>> = {
  on_hook: '',
  claiming: '',
  waiting: '',
  ringing: 'shake',
  talking: 'live',
  lost: '',
}

/** Moves the focus to the call's buttons, later back or to the handset; never to one that a held Enter would press. */
function useCallFocus(state: Handset['state'], telephone: RefObject<HTMLElement | null>): void {
  const before = useRef<Element | null>(null)
  /** The rendered state. When it changes, the pressed button may have been removed. */
  const shown = useRef(state)
  const called = state === 'ringing' || state === 'talking'
  useLayoutEffect(() => {
    if (!called) return
    const element = telephone.current
    return () => {
      const back = before.current
      before.current = null
      const lost = document.activeElement === document.body || element?.contains(document.activeElement)
      if (!lost) return
      if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus()
      else element?.focus({ preventScroll: true })
    }
  }, [called, telephone])
  useLayoutEffect(() => {
    const element = telephone.current
    const main = element?.querySelector<HTMLElement>('[data-main]')
    if (state === 'ringing') {
      before.current = document.activeElement
      ;(main ?? element)?.focus()
    } else if (state === 'talking') main?.focus({ preventScroll: true })
    else if (shown.current !== state && document.activeElement === document.body)
      element?.focus({ preventScroll: true })
    shown.current = state
  }, [state, telephone])
}

/** Sets the tab's title to the number and the state, to tell tabs apart. */
function useTitle(handset: Handset): void {
  const { read } = useStore($readParty)
  const number = 'number' in handset && handset.number !== null ? read(handset.number).formatted : null
  const ringing = handset.state === 'ringing'
  useEffect(() => {
    const { title } = document
    if (number !== null) document.title = `${ringing ? 'Ringing: ' : ''}${number} · ${title}`
    return () => {
      document.title = title
    }
  }, [number, ringing])
}

export function Telephone() {
  const handset = useStore($handset)
  const telephone = useRef<HTMLElement>(null)
  useCallFocus(handset.state, telephone)
  useTitle(handset)
  return (
    <section
      ref={telephone}
      className={`handset ${looks[handset.state]} ${styles['telephone']}`}
      aria-label="Telephone"
      tabIndex={-1}
    >
      <div className="ear" aria-hidden="true" />
      <Inside handset={handset} />
    </section>
  )
}

function Inside({ handset }: { readonly handset: Handset }) {
  switch (handset.state) {
    case 'on_hook':
    case 'claiming':
    case 'lost':
      return <OnHook handset={handset} />
    case 'waiting':
      return <Waiting handset={handset} />
    case 'ringing':
      return <Ringing handset={handset} />
    case 'talking':
      return <Talking handset={handset} />
    default:
      return handset satisfies never
  }
}
