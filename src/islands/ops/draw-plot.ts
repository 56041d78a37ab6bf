import uPlot from 'uplot'
import { inWords, type Unit } from './wording.ts'

export interface PlotLine {
  /** A colour that a canvas can read. */
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

/** Draws a plot into an element; what it shows stands beside it in words. @returns what takes it away */
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
      scales: { x: { time: true }, y: { range: (_plot, _least, most) => [0, roundUp(most, unit)] } },
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
          splits: (_plot, _axis, _least, most) => [0, most / 2, most],
          values: (_plot, marks) => marks.map(mark => inWords(mark, unit)),
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

/** Ruled, as everything printed here. */
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

/** The end of an axis: half of it is a figure that can be read, too. */
function roundUp(most: number | null, unit: Unit): number {
  if (unit === 'share') return 1
  const least = unit === 'count' ? 4 : unit === 'usd' ? 1 : 2
  const wanted = Math.max(most ?? 0, least)
  const whole = unit === 'seconds' && wanted > 60 ? 60 : 1
  const power = 10 ** Math.floor(Math.log10(wanted / whole))
  return [1, 2, 4, 6, 8, 10].map(part => part * power * whole).find(end => end >= wanted) ?? wanted
}
