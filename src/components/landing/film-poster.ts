import { destinationOf } from '#components/destinations.ts'
import { outline } from '#components/og/letters.ts'

/** The night colours of `tokens.css`: the film is a night panel in both themes. */
const night = { sheet: '#16213a', rule: '#31405f', ink: '#f2ebdd' } as const
/** Printed things keep the colours of daylight. */
const paper = { page: '#f4efe3', rule: '#d5ccb8', edge: '#857b66', ink: '#13203b', red: '#b3202b' } as const

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9']
const waves = [84, 110, 136, 162].map(y => `M300 ${y}q22-18 44 0${'t44 0'.repeat(8)}`).join('')

/** The poster as an SVG of 640 by 400, loaded when near. Its letters are outlines, since pictures have no fonts. */
export function filmPoster(): string {
  const { centsPerMinute } = destinationOf('IN')
  const number = letters(outline('+91 98765 43210', { size: 24 }), 80, 108)
  const keypad = keys
    .map((key, index) =>
      letters(outline(key, { size: 19 }, 'middle'), 118 + 72 * (index % 3), 154 + 31 * Math.floor(index / 3)),
    )
    .join('')
  const value = letters(outline(centsPerMinute, { size: 30 }, 'middle'), 500, 197)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" fill="none" stroke-linecap="round">
<path stroke="${night.rule}" stroke-width="1.5" d="${waves}"/>
<path fill="${paper.page}" d="M56 40h268v248H56z"/>
<path fill="${paper.rule}" d="M56 40h268v26H56z"/>
<path stroke="${paper.edge}" stroke-width="8" d="M72 53h0m14 0h0m14 0h0"/>
<g fill="${paper.ink}"><path d="M80 119h220v2H80z"/>${number}${keypad}</g>
<path stroke="${paper.rule}" stroke-width="3" stroke-dasharray="0 6" d="M154 132v92M226 132v92M82 163h216M82 194h216"/>
<rect x="80" y="236" width="220" height="36" rx="18" fill="#0b7545"/>
<path fill="#fff" d="M180 248c-1.5 1-1.6 3.2.6 6.4 2.3 3.3 4.6 5 6.6 4.5.9-.2 1.5-.8 1.7-1.7l-2.6-2-1.6.9c-1.3-.9-2.3-2.2-2.9-3.6l1.3-1.3-.9-3.2c-.9-.4-1.6-.4-2.2 0Z"/>
<path stroke="${night.ink}" stroke-width="3" stroke-dasharray="0 10" d="M334 256C390 312 452 296 470 236"/>
<g transform="translate(-16 -6) rotate(5 500 146)">
<path fill="#efe8d8" stroke="${night.sheet}" stroke-width="9" stroke-dasharray="0 14" d="M430 62h140v168H430z"/>
<path fill="#f3ddd0" stroke="${paper.red}" stroke-width="2" d="M445 77h110v138H445z"/>
<circle cx="500" cy="123" r="33" fill="#eee"/>
<path fill="#ff9811" d="M469.4 110.6a33 33 0 0 1 61.2 0z"/>
<path fill="#6da544" d="M469.4 135.4a33 33 0 0 0 61.2 0z"/>
<circle cx="500" cy="123" r="7.75" stroke="#0052b4" stroke-width="3.1"/>
<circle cx="500" cy="123" r="3.1" fill="#0052b4"/>
<g fill="${paper.red}">${value}</g>
</g>
</svg>
`
}

function letters(path: string, x: number, y: number): string {
  return `<path transform="translate(${x} ${y})" d="${path}"/>`
}
