/** Whether a host, by its name or address, is this very machine: nobody else listens on that line. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || /^127(\.\d{1,3}){3}$/.test(host) || host === '::1' || host === '[::1]'
}
