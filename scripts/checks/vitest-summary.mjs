import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * A reporter of Vitest: writes what `main.mjs` counts and names at its end to the file `VITEST_SUMMARY`.
 */
export default class SummaryReporter {
  /** @param {readonly { message?: string }[]} unhandled errors outside any test */
  onTestRunEnd(modules, unhandled) {
    /** @type {import('./report.mjs').Found} */
    const summary = { passed: 0, failed: [], unsteady: [], slowest: [] }
    for (const module of modules) {
      const file = `${module.project.name} ${relative(process.cwd(), module.moduleId)}`
      let tests = 0
      for (const test of module.children.allTests()) {
        tests += 1
        const { state, errors } = test.result()
        const name = `${file} > ${test.fullName}`
        if (state === 'passed') summary.passed += 1
        if (state === 'failed') summary.failed.push({ name, error: firstLine(errors) })
      }
      // A hook that fails is nobody's test: its errors stand at the file or at the group.
      const broken = module.errors()
      if (broken.length > 0) summary.failed.push({ name: file, error: firstLine(broken) })
      for (const group of module.children.allSuites()) {
        const errors = group.errors()
        if (errors.length > 0)
          summary.failed.push({ name: `${file} > ${group.fullName}`, error: firstLine(errors) })
      }
      if (tests > 0) summary.slowest.push({ name: file, seconds: module.diagnostic().duration / 1000 })
    }
    for (const error of unhandled)
      summary.failed.push({ name: 'outside any test', error: firstLine([error]) })
    summary.slowest = summary.slowest.sort((a, b) => b.seconds - a.seconds).slice(0, 20)
    const file = process.env.VITEST_SUMMARY
    if (file !== undefined) writeFileSync(file, JSON.stringify(summary))
  }
}

function firstLine(errors) {
  return errors?.[0]?.message?.split('\n')[0] ?? 'no message'
}
