import { dateFormat } from '../date-format.ts'

const day = dateFormat('en-GB', { day: 'numeric' })
const month = dateFormat('en-GB', { month: 'short' })
const time = dateFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** A postmark with the day and local time at which a call ended. Decoration: the same is written beside it. */
export function EndedMark({ at }: { readonly at: Date }) {
  return (
    <svg className="postmark" viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="47" />
      <circle cx="50" cy="50" r="31" />
      <path id="ended-top" d="M12 50a38 38 0 0 1 76 0" stroke="none" />
      <path id="ended-bottom" d="M6 50a44 44 0 0 0 88 0" stroke="none" />
      <text textAnchor="middle">
        <textPath href="#ended-top" startOffset="50%">
          CALL ENDED
        </textPath>
      </text>
      <text textAnchor="middle">
        <textPath href="#ended-bottom" startOffset="50%">
          {time(at)}
        </textPath>
      </text>
      <text className="mid" x="50" y="48" fontSize="19">
        {day(at)}
      </text>
      <text className="mid" x="50" y="66" fontSize="15">
        {month(at)}
      </text>
    </svg>
  )
}
