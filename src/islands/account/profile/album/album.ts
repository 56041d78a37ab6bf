import type { ReadableAtom } from 'nanostores'
import { type Album, album } from '#lib/api/album.ts'
import { authorised } from '#session/api.ts'
import { createPrivateResource, type Resource } from '#session/private-resource.ts'
import { startOfYear } from './wording.ts'

const resource = createPrivateResource<Album>(() =>
  authorised(album, { query: { from: startOfYear(new Date()).toISOString() } }, { skipLogoutOnFail: true }),
)
export const $album: ReadableAtom<Resource<Album>> = resource.$state
export const loadAlbum = resource.load
