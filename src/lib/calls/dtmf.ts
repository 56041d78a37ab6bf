const rowsHz = [697, 770, 852, 941] as const
const columnsHz = [1209, 1336, 1477] as const
const keys = '123456789*0#'

/** The two frequencies of a key in Hz (ITU-T Q.23); empty for other characters. */
export function keyTone(key: string): readonly number[] {
  const place = key.length === 1 ? keys.indexOf(key) : -1
  const row = rowsHz[Math.floor(place / 3)]
  const column = columnsHz[place % 3]
  return place < 0 || row === undefined || column === undefined ? [] : [row, column]
}
