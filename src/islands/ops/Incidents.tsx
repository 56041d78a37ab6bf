import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { OpsIncident } from '#lib/api/ops.ts'
import styles from './ops.module.css'
import { duration, incidentText } from './wording.ts'

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayAndClock = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })

export function Incidents({ incidents }: { readonly incidents: readonly OpsIncident[] }) {
  return (
    <section aria-labelledby="what-happened">
      <h2 id="what-happened">What happened</h2>
      {incidents.length === 0 ? (
        <p className="soft">
          Nothing. No minute was charged late, no event was rejected, and no provider failed.
        </p>
      ) : (
        <ul className={`rows events ${styles['incidents'] ?? ''}`}>
          {incidents.map(incident => (
            <Incident key={`${incident.kind} ${incident.from}`} incident={incident} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Incident({ incident }: { readonly incident: OpsIncident }) {
  const grave = incident.kind === 'webhooks_refused'
  const Icon = grave ? CircleAlert : TriangleAlert
  const [from, to] = [new Date(incident.from), new Date(incident.to)]
  return (
    <li className={grave ? 'bad' : 'warn'}>
      <Icon className="i" aria-hidden="true" />
      <div>
        <b>{incidentText(incident)}</b>
        <small className="num">
          {dayAndClock.format(from)} to {clock.format(to)}
        </small>
      </div>
      <span className="num small soft">{duration((to.getTime() - from.getTime()) / 1000)}</span>
    </li>
  )
}
