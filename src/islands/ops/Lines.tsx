import { useStore } from '@nanostores/react'
import { CircleCheckBig, TriangleAlert } from 'lucide-react'
import type { OpsOverview, OpsSpan } from '#lib/api/ops.ts'
import { Browsers } from './Browsers.tsx'
import { Gauges } from './Gauges.tsx'
import { Incidents } from './Incidents.tsx'
import { IntervalTable } from './IntervalTable.tsx'
import { Now } from './Now.tsx'
import styles from './ops.module.css'
import { $opsSpan, chooseOpsSpan, leaveOperations } from './ops.ts'
import { findTroubles } from './wording.ts'

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const spans: Readonly<Record<OpsSpan, string>> = { hour: '1 hour', day: '24 hours', week: '7 days' }

function Verdict({ overview }: { readonly overview: OpsOverview }) {
  const troubles = findTroubles(overview)
  const [first] = troubles
  return (
    <p className={first === undefined ? 'verdict2' : 'verdict2 warn'} role="status">
      {first === undefined ? (
        <CircleCheckBig className="i" aria-hidden="true" />
      ) : (
        <TriangleAlert className="i" aria-hidden="true" />
      )}
      <b>{first === undefined ? 'Everything is within its limits' : first.text}</b>
      {first !== undefined && <span>{first.next}</span>}
      {troubles.length > 1 && (
        <span>Also: {troubles.slice(1).map(({ text }, index) => `${index > 0 ? '; ' : ''}${text}`)}.</span>
      )}
    </p>
  )
}

/** @param trouble why the data is outdated */
export function Lines({
  overview,
  trouble,
}: {
  readonly overview: OpsOverview
  readonly trouble: string | null
}) {
  const span = useStore($opsSpan)
  return (
    <div className="wrap opswrap">
      <div className="opshead">
        <div>
          <h1>Lines</h1>
          <p className="soft">
            The last {span === 'hour' ? 'hour' : spans[span]}, in your time zone. Refreshed{' '}
            <span className="num">{clock.format(new Date(overview.at))}</span>.
          </p>
        </div>
        <div className={styles['tools']}>
          <fieldset>
            <legend className="sr">Span</legend>
            <div className="chips">
              {(Object.keys(spans) as OpsSpan[]).map(choice => (
                <label key={choice}>
                  <input
                    className="sr"
                    type="radio"
                    name="span"
                    checked={choice === span}
                    onChange={() => void chooseOpsSpan(choice)}
                  />
                  {spans[choice]}
                </label>
              ))}
            </div>
          </fieldset>
          <button type="button" className="btn" onClick={() => void leaveOperations()}>
            Log out {overview.operator}
          </button>
        </div>
      </div>
      {trouble !== null && (
        <div className={styles['notes']}>
          <p className="note bad" role="alert">
            {trouble} These figures are from{' '}
            <span className="num">{clock.format(new Date(overview.at))}</span>.
          </p>
        </div>
      )}
      <Verdict overview={overview} />
      <Gauges overview={overview} span={span} />
      <IntervalTable intervals={overview.intervals} span={span} />
      <Incidents incidents={overview.incidents} />
      <Now overview={overview} />
      <Browsers browsers={overview.browsers} />
    </div>
  )
}
