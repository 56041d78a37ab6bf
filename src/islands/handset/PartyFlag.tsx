import { Flag } from '#islands/flag/Flag.tsx'

export interface PartyFlagProps {
  /** Two letters; null where the country is not known: an empty place stays. */
  readonly isoCode: string | null
  /** Pixels to reserve. */
  readonly size?: number
}

export function PartyFlag({ isoCode, size = 32 }: PartyFlagProps) {
  return isoCode === null ? (
    <span className="flag" aria-hidden="true" />
  ) : (
    <Flag isoCode={isoCode} size={size} />
  )
}
