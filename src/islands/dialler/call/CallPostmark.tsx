import { Flag } from '#ui/Flag.tsx'

export interface CallPostmarkProps {
  /** The ring's first word, such as 'IN CALL'. */
  readonly state: string
  readonly country: {
    readonly name: string
    readonly isoCode: string
    readonly emoji: string
    readonly dialCode: string
  }
  /** Shows the waves of a voice. */
  readonly waves: boolean
}

/** Letters that fit round the postmark. */
const ringLength = 54

/** State, country and dial code, repeated if they fit twice. */
function ringText(state: string, name: string, dialCode: string): string {
  const once = `${state} · ${name.toUpperCase()} · ${dialCode} · `
  return (once.length * 2 <= ringLength ? once.repeat(2) : once).trimEnd()
}

const wave = (y: number) => `M-5 ${y}q15-13 30 0${'t30 0'.repeat(18)}`
const wavePath = [13, 31, 49, 67].map(wave).join('')

/** A postmark with the country's flag; its cancellation waves move while a voice can be heard. */
export function CallPostmark({ state, country, waves }: CallPostmarkProps) {
  return (
    <div className="seal">
      {waves && <Waves />}
      <svg className="postmark" viewBox="0 0 152 152" aria-hidden="true">
        <circle cx="76" cy="76" r="73" />
        <circle cx="76" cy="76" r="49" />
        <path id="seal-ring" d="M76 133a57 57 0 1 1 .1 0" stroke="none" />
        <text style={{ fontSize: '10.5px' }}>
          <textPath href="#seal-ring" textLength="352" lengthAdjust="spacing">
            {ringText(state, country.name, country.dialCode)}
          </textPath>
        </text>
      </svg>
      <Flag isoCode={country.isoCode} emoji={country.emoji} size={76} />
    </div>
  )
}

function Waves() {
  return (
    <svg className="voice waves" viewBox="0 0 480 80" aria-hidden="true">
      <defs>
        <radialGradient id="seal-fade" gradientUnits="userSpaceOnUse" cx="240" cy="40" r="240">
          <stop offset=".345" stopColor="#000" />
          <stop offset=".35" stopColor="#fff" />
          <stop offset=".9" stopColor="#fff" stopOpacity=".1" />
        </radialGradient>
        <mask id="seal-mask">
          <rect width="480" height="80" fill="url(#seal-fade)" />
        </mask>
      </defs>
      <g mask="url(#seal-mask)">
        <path d={wavePath} />
      </g>
    </svg>
  )
}
