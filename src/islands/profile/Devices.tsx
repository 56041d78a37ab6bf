import { useStore } from '@nanostores/react'
import { createLucideIcon, Laptop, LogOut, MonitorSmartphone, Tablet } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Device } from '#lib/api/profile.ts'
import { $devices, loadDevices, signOut, signOutElsewhere } from '#stores/devices.ts'
import { FormNote } from '../field/FormNote.tsx'
import { useBusy } from '../submit-button/useBusy.ts'
import { keepFocus } from './keep-focus.ts'
import { Missed } from './Missed.tsx'
import { Outcome } from './Outcome.tsx'
import styles from './profile.module.css'
import { RowsLoading } from './RowsLoading.tsx'
import { Section } from './Section.tsx'
import { seenAt } from './wording.ts'

/** As `Smartphone`, which stays in the dialler's own piece of script this way. */
const Phone = createLucideIcon('phone', [
  ['rect', { width: '14', height: '20', x: '5', y: '2', rx: '2', key: 'case' }],
  ['path', { d: 'M12 18h.01', key: 'button' }],
])
const icons = { phone: Phone, tablet: Tablet, computer: Laptop, unknown: MonitorSmartphone } as const

/** What a press came to: it is said beneath the list, as the row it belongs to may be gone. */
type Ended = { readonly done: string } | { readonly failed: string } | null

/** Where the account is signed in, and the ways to end it there. */
export function Devices() {
  const shown = useStore($devices)
  const [ended, setEnded] = useState<Ended>(null)
  const region = useRef<HTMLDivElement>(null)
  const { slow, run } = useBusy()
  /** The button that was pressed may be gone. */
  const tell = (what: Ended) => {
    setEnded(what)
    keepFocus(region)
  }
  const endOthers = async (): Promise<'done'> => {
    const result = await signOutElsewhere()
    tell(result.ok ? { done: 'Every other device is signed out.' } : { failed: result.message })
    return 'done'
  }
  const others = shown.state === 'ready' && shown.devices.some(device => !device.current)

  return (
    <Section
      id="profile-devices"
      title="Devices signed in"
      about="Something you do not recognise? Sign it out and change your password."
    >
      <div ref={region} tabIndex={-1} className={styles['region']}>
        {shown.state === 'loading' && <RowsLoading label="Loading your devices" />}
        {shown.state === 'failed' && (
          <Missed message={shown.message} onRetry={() => void loadDevices().then(() => keepFocus(region))} />
        )}
        {shown.state === 'ready' && (
          <ul className="rows">
            {shown.devices.map(device => (
              <Row key={device.id} device={device} onEnded={tell} />
            ))}
          </ul>
        )}
      </div>
      <FormNote message={ended !== null && 'failed' in ended ? ended.failed : null} />
      <div className={styles['done']}>
        {others && (
          <button type="button" className={`btn ${styles['below']}`} onClick={() => run(endOthers)}>
            <LogOut className="i" aria-hidden="true" />
            {slow ? 'Signing out…' : 'Sign out everywhere else'}
          </button>
        )}
        <Outcome message={ended !== null && 'done' in ended ? ended.done : null} />
      </div>
    </Section>
  )
}

interface RowProps {
  readonly device: Device
  readonly onEnded: (ended: Ended) => void
}

function Row({ device, onEnded }: RowProps) {
  const { slow, run } = useBusy()
  const Icon = icons[device.kind]
  const seen = seenAt(new Date(device.lastSeenAt), new Date())
  const end = async (): Promise<'done'> => {
    const result = await signOut(device.id)
    onEnded(result.ok ? { done: `${device.name} is signed out.` } : { failed: result.message })
    return 'done'
  }
  return (
    <li>
      <Icon className="i" aria-hidden="true" />
      <div>
        <b>{device.name}</b>
        <small className="num">
          {device.current ? 'Now' : <time dateTime={device.lastSeenAt}>Last seen {seen}</time>}
        </small>
      </div>
      {device.current ? (
        <span className="pill">This device</span>
      ) : (
        <button
          type="button"
          className="btn plain"
          // Two of a kind differ by nothing else.
          aria-label={`Sign out ${device.name}, last seen ${seen}`}
          onClick={() => run(end)}
        >
          {slow ? 'Signing out…' : 'Sign out'}
        </button>
      )}
    </li>
  )
}
