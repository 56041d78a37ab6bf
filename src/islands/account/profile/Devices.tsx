import { useStore } from '@nanostores/react'
import { Laptop, LogOut, MonitorSmartphone, Tablet } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Device, Profile } from '#lib/api/profile.ts'
import { FormNote } from '#ui/FormNote.tsx'
import { keepFocus } from '#ui/keep-focus.ts'
import { useBusy } from '#ui/use-busy.ts'
import { $devices, loadDevices, signOut, signOutElsewhere } from './devices.ts'
import { Missed } from './Missed.tsx'
import { Outcome } from './Outcome.tsx'
import { ProofDialog } from './ProofDialog.tsx'
import { Phone } from './phone-icon.ts'
import styles from './profile.module.css'
import { RowsLoading } from './RowsLoading.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'
import { seenAt } from './wording.ts'

const icons = { phone: Phone, tablet: Tablet, computer: Laptop, unknown: MonitorSmartphone } as const

/** Shown below the list, because the row may have been removed. */
type Ended = { readonly done: string } | { readonly failed: string } | null

/** A sign-out that waits for the password. @param device null: all other devices */
type Asked = { readonly device: Device | null } | null

export function Devices({ profile }: { readonly profile: Profile }) {
  const shown = useStore($devices)
  const [ended, setEnded] = useState<Ended>(null)
  const [asked, setAsked] = useState<Asked>(null)
  const region = useRef<HTMLDivElement>(null)
  const { slow, run } = useBusy()
  /** The pressed button may have been removed. */
  const showEnded = (what: Ended) => {
    setEnded(what)
    keepFocus(region)
  }
  const end = async (device: Device | null, password = '') => {
    const result = await (device === null ? signOutElsewhere(password) : signOut(device.id, password))
    if (result.ok)
      showEnded({
        done: device === null ? texts.othersLoggedOut : texts.deviceLoggedOut({ device: device.name }),
      })
    return result
  }
  const press = async (device: Device | null): Promise<'done'> => {
    setEnded(null)
    const result = await end(device)
    if (result.ok) return 'done'
    if (result.code === 'proof_needed') setAsked({ device })
    else showEnded({ failed: result.message })
    return 'done'
  }
  const others = shown.state === 'ready' && shown.value.some(device => !device.current)

  return (
    <Section id="profile-devices" title={texts.devices} about={texts.aboutDevices}>
      <div ref={region} tabIndex={-1} className={styles['region']}>
        {shown.state === 'loading' && <RowsLoading label={texts.loadingDevices} />}
        {shown.state === 'failed' && (
          <Missed message={shown.message} onRetry={() => void loadDevices().then(() => keepFocus(region))} />
        )}
        {shown.state === 'ready' && (
          <ul className="rows">
            {shown.value.map(device => (
              <Row key={device.id} device={device} onPress={() => press(device)} />
            ))}
          </ul>
        )}
      </div>
      <FormNote message={ended !== null && 'failed' in ended ? ended.failed : null} />
      <div className={styles['done']}>
        {others && (
          <button type="button" className={`btn ${styles['below']}`} onClick={() => run(() => press(null))}>
            <LogOut className="i" aria-hidden="true" />
            {slow ? texts.loggingOut : texts.logOutOthers}
          </button>
        )}
        <Outcome message={ended !== null && 'done' in ended ? ended.done : null} />
      </div>
      {asked !== null && (
        <ProofDialog
          profile={profile}
          action={texts.logOut}
          slowAction={texts.loggingOut}
          onProve={password => end(asked.device, password)}
          onClose={() => setAsked(null)}
        />
      )}
    </Section>
  )
}

function Row({ device, onPress }: { readonly device: Device; readonly onPress: () => Promise<'done'> }) {
  const { slow, run } = useBusy()
  const Icon = icons[device.kind]
  const name = device.name
  const seen = seenAt(new Date(device.lastSeenAt), new Date())
  return (
    <li>
      <Icon className="i" aria-hidden="true" />
      <div>
        <b>{name}</b>
        <small className="num">
          {device.current ? (
            texts.now
          ) : (
            <time dateTime={device.lastSeenAt}>{texts.lastSeen({ time: seen })}</time>
          )}
        </small>
      </div>
      {device.current ? (
        <span className="pill">{texts.thisDevice}</span>
      ) : (
        <button
          type="button"
          className="btn plain"
          // Two devices of one kind have the same name, so the label adds when it was last seen.
          aria-label={texts.logOutNamed({ device: name, time: seen })}
          onClick={() => run(onPress)}
        >
          {slow ? texts.loggingOut : texts.logOut}
        </button>
      )}
    </li>
  )
}
