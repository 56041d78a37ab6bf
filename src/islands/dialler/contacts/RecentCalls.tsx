import { useStore } from '@nanostores/react'
import { ArrowRight } from 'lucide-react'
import { useEffect } from 'react'
import { RecentList } from './RecentList.tsx'
import { $recents, followRecents } from './recents.ts'

export function RecentCalls() {
  const known = useStore($recents)
  useEffect(followRecents, [])
  return (
    <>
      <div className="sec">
        <h2>Recent calls</h2>
        {known.state === 'ready' && known.value.length > 0 && (
          <a className="more" href="/call-history">
            Call history <ArrowRight className="i" aria-hidden="true" />
          </a>
        )}
      </div>
      <RecentList />
    </>
  )
}
