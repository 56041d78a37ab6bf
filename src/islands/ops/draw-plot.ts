import uPlot from 'uplot'
import { type Unit, valueText } from './wording.ts'

export interface PlotLine {
  /** A resolved CSS colour: a canvas cannot read custom properties. */
  readonly colour: string
  readonly values: readonly (number | null)[]
  readonly dashed: boolean
}

export interface PlotOptions {
  /** Unix seconds. */
  readonly at: readonly number[]
  readonly lines: readonly PlotLine[]
  readonly bars: boolean
  readonly unit: Unit
  readonly long: boolean
  readonly width: number
  readonly textColour: string
  readonly ruleColour: string
  readonly font: string
}

const height = 150
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })

/** The same data is given as text beside it. @returns removes the plot */
export function drawPlot(into: HTMLElement, options: PlotOptions): () => void {
  const { at, lines, bars, unit, long, textColour, ruleColour, font, width } = options
  const labels = { stroke: textColour, font: `12px ${font}` }
  const plot = new uPlot(
    {
      width,
      height,
      padding: [10, 0, 0, 16],
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: true }, y: { range: (_plot, _min, peak) => [0, roundUp(peak, unit)] } },
      axes: [
        {
          ...labels,
          size: 24,
          space: 60,
          grid: { show: false },
          ticks: { show: false },
          values: (_plot, moments) => moments.map(seconds => (long ? weekday : hour).format(seconds * 1000)),
        },
        {
          ...labels,
          side: 1,
          size: 52,
          gap: 6,
          grid: { stroke: ruleColour, width: 1 },
          ticks: { show: false },
          splits: (_plot, _axis, _min, peak) => [0, peak / 2, peak],
          values: (_plot, marks) => marks.map(mark => valueText(mark, unit)),
        },
      ],
      series: [
        {},
        ...lines.map(({ colour, dashed }, index) => ({
          stroke: colour,
          width: 1.9,
          points: { show: false },
          ...(dashed ? { dash: [5, 4] } : {}),
          ...(bars && uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.6, 8] }), fill: colour } : {}),
          ...(!bars && index === 0 ? { fill: (drawn: uPlot) => hatching(drawn.ctx, colour) } : {}),
        })),
      ],
    },
    [[...at], ...lines.map(({ values }) => [...values])],
    into,
  )
  return () => plot.destroy()
}

/** A pattern of ruled lines, as in the rest of the design. */
function hatching(context: CanvasRenderingContext2D, colour: string): CanvasPattern | string {
  const tile = document.createElement('canvas')
  const step = Math.round(4 * devicePixelRatio)
  tile.width = step
  tile.height = step
  const ink = tile.getContext('2d')
  if (ink === null) return 'transparent'
  ink.globalAlpha = 0.45
  ink.fillStyle = colour
  ink.fillRect(0, 0, step, Math.max(1, Math.round(devicePixelRatio * 0.9)))
  return context.createPattern(tile, 'repeat') ?? 'transparent'
}

/** The maximum of an axis, rounded up so that half of it is a readable figure too. */
function roundUp(peak: number | null, unit: Unit): number {
  if (unit === 'share') return 1
  const minTop = unit === 'count' ? 4 : unit === 'usd' ? 1 : 2
  const wanted = Math.max(peak ?? 0, minTop)
  const whole = unit === 'seconds' && wanted > 60 ? 60 : 1
  const power = 10 ** Math.floor(Math.log10(wanted / whole))
  return [1, 2, 4, 6, 8, 10].map(part => part * power * whole).find(end => end >= wanted) ?? wanted
}
