import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export interface Certificate {
  /** Files in PEM. */
  readonly certificate: string
  readonly key: string
}

/** A self-signed certificate for `localhost`, valid for a day. Undefined when openssl is not installed. */
export function makeCertificate(directory: string): Certificate | undefined {
  const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')]
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', '/CN=localhost', '-days', '1', '-keyout', key, '-out', certificate],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::ffff:127.0.0.1'],
  ])
  return made.status === 0 ? { certificate, key } : undefined
}
