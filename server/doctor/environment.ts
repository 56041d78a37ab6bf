import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { variableNames } from '../config/environment.ts'
import { type Finding, findingsAbout } from '../process/finding.ts'

const root = join(import.meta.dirname, '..', '..')

/** Signs of a production server: paths of deploy/systemd, and only production packages installed. */
export interface Surroundings {
  /** The file that `farline@.service` reads. */
  readonly environmentFile: string
  readonly developmentPackage: string
}

const here: Surroundings = {
  environmentFile: '/etc/farline/farline.env',
  developmentPackage: join(root, 'node_modules', 'vitest'),
}

/** Names the checked configuration: without the servers' environment it would be a development server's. */
export function aboutEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { environmentFile, developmentPackage }: Surroundings = here,
): Finding {
  const find = findingsAbout('Configuration')
  const set = variableNames.filter(name => name !== 'NODE_ENV' && (environment[name] ?? '') !== '').length
  const from = `read from the environment (${set} variables)`
  if (environment['NODE_ENV'] === 'production') return find.ok(`For production, ${from}.`)
  const says = `For development, ${from}: NODE_ENV is not production.`
  return existsSync(environmentFile) || !existsSync(developmentPackage)
    ? find.problem(
        `${says} Production servers seem to run here, and their environment was not checked.`,
        'Run the doctor with their environment: farline-run doctor, or inside a container (docs/operating/README.md).',
      )
    : find.ok(says)
}
