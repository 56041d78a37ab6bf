import { useEffect } from 'react'
import { openHandset } from './handset.ts'
import { watchNumbers } from './handset-numbers.ts'
import { loadParties } from './handset-parties.ts'
import { followHandsetText } from './handset-text.ts'
import { NumberList } from './NumberList.tsx'
import { Telephone } from './Telephone.tsx'

export function Handset() {
  useEffect(openHandset, [])
  useEffect(watchNumbers, [])
  useEffect(followHandsetText, [])
  useEffect(() => {
    loadParties().catch((error: unknown) => console.error('The numbering plans did not load.', error))
  }, [])
  return (
    <div className="wrap handsets">
      <NumberList />
      <Telephone />
    </div>
  )
}
