/** Puts a file where the browser's downloads go. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(address))
}
