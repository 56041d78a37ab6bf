import { memoised } from '../memoised.ts'

const rightToLeftScripts: readonly string[] = ['Arab', 'Hebr', 'Thaa']

export const isRightToLeft = memoised(language =>
  rightToLeftScripts.includes(new Intl.Locale(language).maximize().script ?? ''),
)
