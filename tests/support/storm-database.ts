import { openEmbedded } from '#server/db/embedded.ts'
import type { MigratableDatabase } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'

/** A serialisable description of a database, for other processes. */
export type Place =
  | { readonly kind: 'embedded'; readonly directory: string }
  | { readonly kind: 'postgres'; readonly url: string }

export async function openPlace(place: Place): Promise<MigratableDatabase> {
  return place.kind === 'embedded' ? openEmbedded(place.directory) : openPostgres(place.url)
}
