/** Ids of what describes the number and its call, for `aria-describedby`. */
export const rateLineId = 'number-rate'
export const localTimeId = 'number-time'
