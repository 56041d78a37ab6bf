import type { EdgeRecords } from './edge-records.ts'
import type { MediaHost } from './media-host.ts'
import type { Signalling } from './signalling.ts'

/** A host through which calls leave: its signalling, its sound, and its own records of both. */
export interface Edge {
  readonly signalling: Pick<Signalling, 'place'>
  readonly media: MediaHost
  readonly records: EdgeRecords
}
