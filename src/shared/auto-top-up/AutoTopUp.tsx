import { useStore } from '@nanostores/react'
import { Info, TriangleAlert } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { Switch } from '#ui/Switch.tsx'
import type { AboutAutoTopUpProps } from './AboutAutoTopUp.tsx'
import styles from './auto-top-up.module.css'
import { $autoTopUp, $autoTopUpTrouble, setAutoTopUp } from './auto-top-up.ts'
import { autoTopUp } from './texts.ts'

const troubleId = 'auto-topup-trouble'

/** The auto top-up switch and its last failure. `usd`: US dollars; null when no amount is chosen. */
export function AutoTopUp({ usd }: { readonly usd: number | null }) {
  const on = useStore($autoTopUp, { ssr: 'initial' })
  const trouble = useStore($autoTopUpTrouble, { ssr: 'initial' })
  const [About, setAbout] = useState<ComponentType<AboutAutoTopUpProps> | null>(null)
  const open = async () => {
    const { AboutAutoTopUp } = await import('./AboutAutoTopUp.tsx')
    setAbout(() => AboutAutoTopUp)
  }
  return (
    <div className="formrow inrow">
      <Switch
        name="autoTopUp"
        on={on}
        aria-describedby={trouble === null ? undefined : troubleId}
        onSwitch={next => void setAutoTopUp(next)}
      >
        {autoTopUp.label}
      </Switch>
      <button type="button" className="btn plain" aria-haspopup="dialog" onClick={() => void open()}>
        <Info className="i" aria-hidden="true" />
        {autoTopUp.about}
      </button>
      {trouble !== null && (
        <p className={`note warn ${styles['trouble']}`} id={troubleId}>
          <TriangleAlert className="i" aria-hidden="true" />
          {trouble}
        </p>
      )}
      {About !== null && <About usd={usd} onClose={() => setAbout(null)} />}
    </div>
  )
}
