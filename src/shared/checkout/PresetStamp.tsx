import type { ReactNode } from 'react'

interface PresetStampProps {
  /** Whole US dollars. */
  readonly usd: number
  readonly chosen: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}

/** A preset amount, drawn as a stamp of the sheet. */
export function PresetStamp({ usd, chosen, onChoose, children }: PresetStampProps) {
  return (
    <div className="stamp">
      <label className="plate">
        <input className="sr" type="radio" name="preset" value={usd} checked={chosen} onChange={onChoose} />
        {children}
      </label>
    </div>
  )
}
