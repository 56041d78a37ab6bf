export function saveCsv(name: string, csv: string): void {
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Revoke in the next task: the download has started by then.
  setTimeout(() => URL.revokeObjectURL(address))
}
