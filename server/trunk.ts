import { StartError } from './process/start-error.ts'
import { carriersList } from './telephony/trunk/carriers-list.ts'
import { readTrunkFile } from './telephony/trunk/trunk-file.ts'

const usage = `Usage: npm run trunk -- carriers <trunk file>

Prints the list of carriers that an edge reads (EDGE_CARRIERS). It holds passwords.`

process.exitCode = run(process.argv.slice(2))

/** Exit code. 0: the list is printed. 1: a file cannot be used. 2: the command cannot be parsed. */
function run([command, file, ...rest]: readonly string[]): number {
  if (command !== 'carriers' || file === undefined || rest.length > 0) {
    console.error(usage)
    return 2
  }
  try {
    process.stdout.write(carriersList(readTrunkFile(file).carriers))
    return 0
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    return 1
  }
}
