/** Whether a host, by name or address, is this machine, so that no other machine can listen in. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || /^127(\.\d{1,3}){3}$/.test(host) || host === '::1' || host === '[::1]'
}
