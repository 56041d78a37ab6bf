import { latinDigits } from '#lib/numbers/dialable.ts'
import { isNear } from '#lib/numbers/near.ts'
import { input, show } from './destination-rows.ts'
import { needleOf } from './destination-search.ts'

function search(): void {
  const needle = needleOf(latinDigits(input.value))
  if (!show(names => names.includes(needle))) show(names => isNear(needle, names))
}

input.oninput = search
search()
