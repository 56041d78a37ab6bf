const rightToLeftScripts: readonly string[] = ['Arab', 'Hebr', 'Thaa']

export function isRightToLeft(language: string): boolean {
  return rightToLeftScripts.includes(new Intl.Locale(language).maximize().script ?? '')
}
