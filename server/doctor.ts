import { type Config, ConfigError, readConfig } from './config.ts'
import { checkConfiguration, configurationProblems, report } from './doctor/checks.ts'
import { aboutEnvironment } from './doctor/environment.ts'
import type { Finding } from './doctor/finding.ts'

const findings = [aboutEnvironment(process.env), ...(await findAll())]
console.log(report(findings))
// Connections that still wait for an answer are nobody's any more.
process.exit(findings.some(({ state }) => state === 'problem') ? 1 : 0)

async function findAll(): Promise<readonly Finding[]> {
  let config: Config
  try {
    config = readConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) return configurationProblems(error.problems)
    throw error
  }
  return checkConfiguration(config)
}
