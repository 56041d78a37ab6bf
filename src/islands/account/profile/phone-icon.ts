import { createLucideIcon } from 'lucide-react'

/** A copy of `Smartphone`: importing it would move it out of the dialler's chunk. */
export const Phone = createLucideIcon('phone', [
  ['rect', { width: '14', height: '20', x: '5', y: '2', rx: '2', key: 'case' }],
  ['path', { d: 'M12 18h.01', key: 'button' }],
])
