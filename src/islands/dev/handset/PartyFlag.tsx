import { Flag } from '#ui/Flag.tsx'

export interface PartyFlagProps {
  /** ISO 3166-1 alpha-2; null reserves an empty space when the country is unknown. */
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
