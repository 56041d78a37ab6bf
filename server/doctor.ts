import { readEnvironment } from './config.ts'
import { checkConfiguration, configurationProblems, report } from './doctor/checks.ts'
import { aboutEnvironment } from './doctor/environment.ts'

const { config, problems, known } = readEnvironment(process.env)
// Missing or wrong variables do not keep the other checks from running.
const findings = [
  aboutEnvironment(process.env),
  ...configurationProblems(problems),
  ...(await checkConfiguration(config, {
    withoutNetwork: problems.some(problem => /^(TELEPHONY|TRUNK_FILE):/.test(problem)),
    publicUrl: config.production && !known.has('PUBLIC_URL') ? undefined : config.publicUrl,
  })),
]
console.log(report(findings))
// Exit although some connections may still be waiting.
process.exit(findings.some(({ state }) => state === 'problem') ? 1 : 0)
