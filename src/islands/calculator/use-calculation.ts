import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import {
  $calculation,
  type Calculation,
  choosePlace,
  healCalculator,
  openCalculator,
  type Place,
} from './calculator.ts'

function placeIn(select: HTMLSelectElement): Place {
  const [option] = select.selectedOptions
  if (option === undefined) throw new Error('no country is chosen')
  return { isoCode: option.value, name: option.text.replace(/ \+\d+$/, '') }
}

/** Adopts the fields' current values. The country list is not rendered by React; this hook keeps it in step. */
export function useCalculation(slip: RefObject<HTMLElement | null>, served: Calculation): Calculation {
  const [start] = useState(served)
  useLayoutEffect(() => {
    const select = slip.current?.querySelector('select')
    const [number, minutes] = slip.current?.querySelectorAll('input') ?? []
    if (!select || !number || !minutes) return
    openCalculator(start, { place: placeIn(select), minutes: minutes.value, number: number.value })
    minutes.value = $calculation.get()?.minutes ?? '' // the store also ignores values below 1
    const choose = () => choosePlace(placeIn(select))
    select.addEventListener('change', choose)
    // A number sets its country; a country drops a number of another.
    const follow = $calculation.listen((now, before) => {
      if (now !== null && now.place.isoCode !== select.value) select.value = now.place.isoCode
      if (before?.number.kind === 'ok' && now?.number.kind === 'none') number.value = ''
    })
    return () => {
      select.removeEventListener('change', choose)
      follow()
    }
  }, [slip, start])
  useEffect(() => {
    addEventListener('online', healCalculator)
    return () => removeEventListener('online', healCalculator)
  }, [])
  return useStore($calculation, { ssr: 'initial' }) ?? start
}
