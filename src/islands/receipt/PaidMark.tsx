import { dateFormat } from '#lib/i18n/date-format.ts'

const dayFormat = dateFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

const waves = [
  [104, 26],
  [106, 42],
  [106, 58],
  [104, 74],
]
  .map(([x, y]) => `M${x} ${y}q7.5-7 15 0${'t15 0'.repeat(5)}`)
  .join('')

export interface PaidMarkProps {
  readonly paidAt: Date
  /** Text around the edge, in capitals. */
  readonly ringText: string
  /** Text in the middle; at most five letters. */
  readonly middle: string
}

/** A postmark with the date of the payment, or of another event. */
export function PaidMark({ paidAt, ringText, middle }: PaidMarkProps) {
  return (
    <svg className="postmark" viewBox="0 0 196 100" aria-hidden="true">
      <circle cx="50" cy="50" r="47" />
      <circle cx="50" cy="50" r="30" />
      <path id="paid-top" d="M12.5 50a37.5 37.5 0 0 1 75 0" stroke="none" />
      <path id="paid-bottom" d="M6.5 50a43.5 43.5 0 0 0 87 0" stroke="none" />
      <text textAnchor="middle">
        <textPath href="#paid-top" startOffset="50%">
          {ringText}
        </textPath>
      </text>
      <text textAnchor="middle">
        <textPath href="#paid-bottom" startOffset="50%">
          {dayFormat(paidAt).toUpperCase()}
        </textPath>
      </text>
      <text className="mid" x="50" y="57">
        {middle}
      </text>
      <path d={waves} />
    </svg>
  )
}
