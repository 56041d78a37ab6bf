import type { MouseEvent } from 'react'
import type { ReferralScript } from '#lib/account/referral-script.ts'
import { localPath } from '#lib/i18n/path.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import type { Place } from './calculator.ts'
import { Icon } from './Icon.tsx'
import { texts } from './texts.ts'
import type { Calling } from './use-calling.ts'

interface CallLinksProps {
  readonly place: Place
  readonly calling: Calling
  readonly referral: ReferralScript
}

/** Visitors sign up first. Both links are rendered, and the session decides which one shows. */
export function CallLinks({ place, calling, referral }: CallLinksProps) {
  const { number, isEntered, Sheet } = calling
  const path = localPath(isEntered ? '/call' : `/call?country=${place.isoCode.toLowerCase()}`)
  const label = texts.call({ callee: number?.formatted ?? placeName(place) })
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    const isForHere = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!isForHere) calling.keep(place)
    else if (calling.call()) event.preventDefault()
  }
  // Another tab opens with the number, too.
  const pressOther = (event: MouseEvent) => {
    if (event.button === 1) calling.keep(place)
  }
  return (
    <>
      <a
        className="btn call big wide"
        href={localPath(`/register?next=${encodeURIComponent(path)}`)}
        data-when="out"
        onClick={press}
        onAuxClick={pressOther}
      >
        <Phone />
        {label}
      </a>
      <a className="btn call big wide" href={path} data-when="in" onClick={press} onAuxClick={pressOther}>
        <Phone />
        {label}
      </a>
      {Sheet !== null && <Sheet referralValue={referral.value} onClose={calling.closeSheet} />}
    </>
  )
}

function Phone() {
  return (
    <Icon path="M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384" />
  )
}
