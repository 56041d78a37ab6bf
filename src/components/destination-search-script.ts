import { input, show } from './destination-rows.ts'
import { needleOf } from './destination-search.ts'

input.oninput = () => {
  const needle = needleOf(input.value)
  // The rule of misspellings is fetched once a name finds nothing, and takes over the search.
  if (!show(names => names.includes(needle))) void import('/misspellings.js' as string)
}
