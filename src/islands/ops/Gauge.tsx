import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { OpsInterval, OpsSpan } from '#lib/api/ops.ts'
import { drawPlot } from './draw-plot.ts'
import styles from './ops.module.css'
import { type Column, sumOf, valueText } from './wording.ts'

const tones = ['first', 'second', 'third'] as const

interface Props {
  readonly label: string
  readonly figure: string
  /** The plot's content as text. */
  readonly summary: ReactNode
  readonly columns: readonly Column[]
  readonly intervals: readonly OpsInterval[]
  readonly span: OpsSpan
  readonly bars?: boolean
  readonly over?: boolean
}

/** Increases on each change of theme: a canvas does not update its colours by itself. */
function useTheme(): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const watcher = new MutationObserver(() => setChanges(before => before + 1))
    watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => watcher.disconnect()
  }, [])
  return changes
}

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [element])
  return width
}

/** The plot is not accessible: the caption gives the main figures and the table below the rest. */
export function Gauge({
  label,
  figure,
  summary,
  columns,
  intervals,
  span,
  bars = false,
  over = false,
}: Props) {
  const container = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const width = useWidth(container)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read off the page, which has changed with it.
  useEffect(() => {
    const { current } = container
    if (current === null || width === 0) return
    const colourOf = (name: string) => {
      const probe = current.parentElement?.querySelector(`[data-tone=${name}]`)
      return probe === null || probe === undefined ? 'currentColor' : getComputedStyle(probe).color
    }
    return drawPlot(current, {
      at: intervals.map(({ at }) => Date.parse(at) / 1000),
      lines: columns.map((column, index) => ({
        colour: colourOf(tones[index] ?? 'first'),
        // Null instead of 0: a bar without height would be drawn as a line.
        values: intervals.map(one => (bars && column.of(one) === 0 ? null : column.of(one))),
        dashed: index > 0,
      })),
      bars,
      unit: columns[0]?.unit ?? 'count',
      long: span === 'week',
      width,
      textColour: colourOf('text'),
      ruleColour: colourOf('rule'),
      font: getComputedStyle(current).fontFamily,
    })
  }, [columns, intervals, span, bars, width, theme])
  return (
    <figure className={over ? 'gauge over' : 'gauge'}>
      <figcaption>
        <span className="label">{label}</span>
        <b className="num">{figure}</b>
        <span className="small soft">{summary}</span>
      </figcaption>
      {columns.length > 1 && (
        <ul className={styles['key']}>
          {columns.map((column, index) => (
            <li key={column.label}>
              <i className={styles[tones[index] ?? 'first']} />
              {column.label} {valueText(sumOf(column, intervals), column.unit)}
            </li>
          ))}
        </ul>
      )}
      <div ref={container} className={styles['canvas']} aria-hidden="true" />
      <span hidden>
        {[...tones, 'text', 'rule'].map(tone => (
          <i
            key={tone}
            data-tone={tone}
            className={over && tone === 'first' ? styles['over'] : styles[tone]}
          />
        ))}
      </span>
    </figure>
  )
}
