import { CircleAlert, CircleCheckBig, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OpsOverview, OpsProcess } from '#lib/api/ops.ts'
import { budgetText, duration, plural } from './wording.ts'

type Condition = 'good' | 'warn' | 'bad'

const icons = { good: CircleCheckBig, warn: TriangleAlert, bad: CircleAlert } as const
const spoken: Readonly<Record<Condition, string>> = { good: '', warn: 'Attention: ', bad: 'Trouble: ' }

function Row(props: {
  readonly condition: Condition
  readonly what: string
  readonly detail: ReactNode
  readonly aside?: ReactNode
}) {
  const Icon = icons[props.condition]
  return (
    <li className={props.condition === 'good' ? '' : props.condition}>
      <Icon className="i" aria-hidden="true" />
      <div>
        <b>
          <span className="sr">{spoken[props.condition]}</span>
          {props.what}
        </b>
        <small>{props.detail}</small>
      </div>
      {props.aside !== undefined && <span className="num small soft">{props.aside}</span>}
    </li>
  )
}

const since = (from: string, to: string) => duration(Math.max(0, Date.parse(to) - Date.parse(from)) / 1000)

const conditions = { running: 'good', silent: 'bad', stopped: 'warn' } as const

function ProcessRow({ process, at }: { readonly process: OpsProcess; readonly at: string }) {
  const { id, state, version, startedAt, seenAt, calls, sockets } = process
  const seen = state === 'running' ? `up ${since(startedAt, at)}` : `last seen ${since(seenAt, at)} ago`
  return (
    <Row
      condition={conditions[state]}
      what={`Process ${id.slice(0, 8)} is ${state}`}
      detail={`Version ${version}, ${plural(calls, 'call', 'calls')}, ${plural(sockets, 'socket', 'sockets')}`}
      aside={seen}
    />
  )
}

const redisTexts = {
  answers: 'Redis answers',
  away: "Redis doesn't answer",
  not_configured: 'No Redis is configured',
} as const

export function Now({ overview }: { readonly overview: OpsOverview }) {
  const { processes, redis, providers, jobs, books, liveCalls, pausedPrefixes, scarceBudgets, at } = overview
  const live = liveCalls.placed + liveCalls.ringing + liveCalls.answered
  return (
    <section aria-labelledby="now">
      <h2 id="now">Right now</h2>
      <ul className="rows events">
        <Row
          condition="good"
          what={`${plural(live, 'call is', 'calls are')} live`}
          detail={`${liveCalls.answered} answered, ${liveCalls.ringing} ringing, ${liveCalls.placed} placed`}
        />
        {processes.length === 0 && (
          <Row
            condition="warn"
            what="No process has reported yet"
            detail="Each one reports once a minute. If nothing appears in a minute, check the server's log."
          />
        )}
        {processes.map(process => (
          <ProcessRow key={process.id} process={process} at={at} />
        ))}
        <Row condition="good" what="The database answers" detail="It holds everything on this page" />
        <Row
          condition={redis === 'away' ? 'warn' : 'good'}
          what={redisTexts[redis]}
          detail={
            redis === 'not_configured'
              ? 'Each process counts limits and sends live updates on its own'
              : 'As seen by the process serving this page'
          }
        />
        {providers.length === 0 && (
          <Row condition="good" what="No requests to providers failed" detail="In the period chosen above" />
        )}
        {providers.map(({ name, errors, lastOperation, lastAt }) => (
          <Row
            key={name}
            condition="warn"
            what={`${name}: ${plural(errors, 'request', 'requests')} failed`}
            detail={`The last one was ${lastOperation}`}
            aside={`${since(lastAt, at)} ago`}
          />
        ))}
        <Row
          condition={jobs.givenUp > 0 || jobs.oldestSeconds > 120 ? 'warn' : 'good'}
          what={jobs.due === 0 ? 'No jobs are waiting' : `${plural(jobs.due, 'job is', 'jobs are')} waiting`}
          detail={`${jobs.later} scheduled for later, ${plural(jobs.givenUp, 'undeliverable e-mail', 'undeliverable e-mails')} in 24 hours`}
          aside={jobs.due === 0 ? undefined : `oldest: ${duration(jobs.oldestSeconds)}`}
        />
        <Row
          condition={(books.differences ?? 0) > 0 ? 'bad' : 'good'}
          what={booksText(books.differences)}
          detail="npm run admin -- reconcile compares now"
          aside={books.comparedAt === null ? undefined : `${since(books.comparedAt, at)} ago`}
        />
        {scarceBudgets.map(({ kind, used }) => (
          <Row
            key={kind}
            condition="bad"
            what={budgetText(kind, used)}
            detail="At 100%, people are turned away until midnight UTC"
          />
        ))}
        {pausedPrefixes > 0 && (
          <Row
            condition="bad"
            what={`Calls to ${plural(pausedPrefixes, 'expensive prefix', 'expensive prefixes')} are paused`}
            detail="Many accounts called there at once; the log names them"
          />
        )}
      </ul>
    </section>
  )
}

function booksText(differences: number | null): string {
  if (differences === null) return "The books haven't been compared yet"
  if (differences === 0) return 'The books agree'
  return `The books differ in ${plural(differences, 'place', 'places')}`
}
