// @vocabulary words: they are words of a language.
import { globSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { budgetAlertShare } from '#server/limits/budget-policy.ts'
import { createMetrics } from '#server/observability/metrics.ts'

const alerts = readFileSync('deploy/observability/alerts.yaml', 'utf8')
const dashboard = JSON.parse(readFileSync('deploy/observability/grafana-dashboard.json', 'utf8')) as {
  panels: { title: string; type: string; targets?: { expr: string }[] }[]
  annotations: { list: { expr: string }[] }
}
const runbook = readFileSync('docs/operating/runbook.md', 'utf8')

const metrics = createMetrics({
  facts: async () => null,
  process: () => ({
    calls: 0,
    sockets: 0,
    pool: undefined,
    redisReady: undefined,
    disk: undefined,
    certificateEndsAt: undefined,
    prepaidUsd: undefined,
  }),
  version: 'test',
})

const rules = alerts
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map(text => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    expr: /^ {8}expr: (.+)$/m.exec(text)?.[1] ?? '',
    runbook: /^ {10}runbook: (.+)$/m.exec(text)?.[1] ?? '',
    severity: /^ {10}severity: (.+)$/m.exec(text)?.[1] ?? '',
  }))
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
)

/** What Prometheus writes of its own accord. */
const prometheusOwn = ['up']
const words = new Set([
  'and',
  'or',
  'unless',
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'bool',
  'offset',
])

/** The metrics that a query names: what is no function, no word of the language, no label and no text. */
function metricsIn(query: string): string[] {
  const bare = query
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  return [...bare.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g)]
    .map(([name]) => name)
    .filter(name => !words.has(name))
}

/** The labels by which a query chooses among what each metric counts, of those that have any: `[metric, label]`. */
function chosenIn(query: string): [string, string][] {
  return [...query.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].flatMap(([, metric = '', list = '']) =>
    [...list.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']): [string, string] => [metric, label]),
  )
}

/** The labels by which a query groups, each with every metric of what it groups: `by (label) (…)`. */
function groupedIn(query: string): [string, string][] {
  return [...query.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)\s*(?=\()/g)].flatMap(found => {
    const what = metricsIn(inBrackets(query.slice(found.index + found[0].length)))
    const list = (found[1] ?? '').split(/\s*,\s*/)
    return what.flatMap(metric => list.map((label): [string, string] => [metric, label]))
  })
}

/** What the brackets hold with which a text begins. */
function inBrackets(text: string): string {
  let depth = 0
  for (let end = 0; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1
    if (text[end] === ')') depth -= 1
    if (depth === 0) return text.slice(1, end)
  }
  throw new Error(`brackets stay open: ${text}`)
}

let names: Set<string>
beforeAll(() => {
  names = new Set([...metrics.names(), ...prometheusOwn])
})

/** Those that a metric does not have: Prometheus then finds nothing, and says nothing. */
function unknownLabels(query: string): [string, string][] {
  const labels = metrics.labels()
  return [...chosenIn(query), ...groupedIn(query)].filter(
    ([metric, label]) =>
      !['job', 'instance'].includes(label) &&
      !(label === 'le' && metric.endsWith('_bucket')) &&
      labels.get(metric)?.includes(label) !== true,
  )
}

test('the reader of queries finds metrics and labels, and nothing else', () => {
  const query =
    'sum by (le, kind) (rate(farline_a_total{status!="5xx"}[$__rate_interval])) * 1e6 / max(b_c) > bool 2'
  expect(metricsIn(query)).toEqual(['farline_a_total', 'b_c'])
  expect(chosenIn(query)).toEqual([['farline_a_total', 'status']])
  expect(groupedIn(query)).toEqual([
    ['farline_a_total', 'le'],
    ['farline_a_total', 'kind'],
  ])
  expect(
    unknownLabels('sum by (job, reason) (farline_live_calls{state="ringing", outcome="x"}) > 0'),
  ).toEqual([
    ['farline_live_calls', 'outcome'],
    ['farline_live_calls', 'reason'],
  ])
})

test('every query of the dashboard uses metrics and labels that exist', () => {
  expect(queries.length).toBeGreaterThan(30)
  const everything = [
    ...queries,
    ...dashboard.annotations.list.map(({ expr }) => ({ title: 'annotation', expr })),
  ]
  for (const { title, expr } of everything) {
    expect(metricsIn(expr).length, title).toBeGreaterThan(0)
    for (const name of metricsIn(expr)) expect(names, `${title}: ${name}`).toContain(name)
    expect(unknownLabels(expr), title).toEqual([])
  }
})

test('every alert uses metrics and labels that exist', () => {
  expect(rules.length).toBe(alerts.match(/- alert:/g)?.length)
  for (const { name, expr, severity } of rules) {
    expect(metricsIn(expr).length, name).toBeGreaterThan(0)
    for (const metric of metricsIn(expr)) expect(names, `${name}: ${metric}`).toContain(metric)
    expect(unknownLabels(expr), name).toEqual([])
    expect(['page', 'ticket'], name).toContain(severity)
  }
})

test('the alert on budgets fires at the share of the policy, before one is spent', () => {
  const rule = rules.find(({ name }) => name === 'FarlineBudgetRunsOut')
  expect(rule?.expr).toBe(`max by (kind) (farline_budget_used_ratio) > ${budgetAlertShare}`)
  expect(budgetAlertShare).toBeLessThan(1)
})

/** Prometheus 3 keeps `le="1"` as `le="1.0"`, those before as it came: asked for in one form, a bucket may not be there. */
function formBoundIn(query: string): string[] {
  return [...query.matchAll(/\ble\s*!?=\s*"(-?\d+(?:\.0+)?)"/g)].map(([, bound = '']) => bound)
}

test('a bucket with a whole number for its bound is asked for as every Prometheus writes it', () => {
  expect(formBoundIn('a_bucket{le="0"} / a_bucket{x="1", le!="25"} + b_bucket{le = "1.0"}')).toEqual([
    '0',
    '25',
    '1.0',
  ])
  expect(formBoundIn('a_bucket{le=~"0|0.0"} / a_bucket{le="0.5"} / a_bucket{le="+Inf", handle="3"}')).toEqual(
    [],
  )
  for (const { expr } of [...queries, ...rules]) expect(formBoundIn(expr), expr).toEqual([])
})

test('every alert has its entry in the runbook, and every entry its alert', () => {
  const entries = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  )
  const named = rules.map(rule => /^docs\/operating\/runbook\.md#([\w-]+)$/.exec(rule.runbook)?.[1])
  expect(new Set(named)).toEqual(new Set(entries))
  expect(named).toHaveLength(entries.length)
  for (const entry of runbook.split(/^## /m).slice(1)) {
    for (const part of ['**People notice**', '**Look at**', '**Fix**']) expect(entry).toContain(part)
  }
})

test('every metric of ours is on the dashboard or in an alert', () => {
  const asked = new Set([...queries, ...rules].flatMap(({ expr }) => metricsIn(expr)))
  const unasked = metrics
    .names()
    .filter(name => name.startsWith('farline_') && !asked.has(name))
    .filter(name => !/_(bucket|sum|count)$/.test(name))
  expect(unasked).toEqual(['farline_build_info'])
})

test('every metric of ours is in its table', () => {
  const page = readFileSync('docs/operating/observability.md', 'utf8')
  const bases = metrics.names().map(name => name.replace(/_(bucket|sum|count)$/, ''))
  for (const name of new Set(bases.filter(base => base.startsWith('farline_'))))
    expect(page).toContain(`\`${name}\``)
})

test('loads the tracing library only where tracing is configured', () => {
  const sources = globSync('server/**/*.ts').map(file => ({ file, text: readFileSync(file, 'utf8') }))
  const importers = sources.filter(({ text }) => /from '@opentelemetry\//.test(text)).map(({ file }) => file)
  expect(importers).toEqual(['server/observability/open-telemetry.ts'])
  expect(sources.filter(({ text }) => /from '[^']*open-telemetry\.ts'/.test(text))).toEqual([])
})
