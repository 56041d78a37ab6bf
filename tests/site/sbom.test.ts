// @module-tag one-engine
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { billOfMaterials } from '#scripts/sbom.mjs'
import { readBuiltSite, siteDirectory } from '#support/built-site.ts'
import { createWeb } from '#support/web.ts'

const root = join(import.meta.dirname, '..', '..')
const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
interface Component {
  name: string
  group?: string
  version: string
  purl: string
  scope: string
  hashes: { alg: string; content: string }[]
  licenses: unknown[]
}
const components: Component[] = JSON.parse(billOfMaterials()).components

test('holds every package that production asks for, in the version and with the hash that were agreed on', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const locked = lockfile.packages[`node_modules/${name}`]
    const purl = `pkg:npm/${name.replace('@', '%40')}@${locked.version}`
    const component = components.find(one => one.purl === purl)
    expect(component?.scope, name).toBe('required')
    const [hash] = component?.hashes ?? []
    expect(Buffer.from(hash?.content ?? '', 'hex').toString('base64'), name).toBe(locked.integrity.slice(7))
    expect(hash?.alg).toBe('SHA-512')
  }
  expect(components.find(one => one.name === 'fastify')?.licenses).toEqual([{ license: { id: 'MIT' } }])
})

test('holds each package once, and nothing that tests alone use', () => {
  const purls = components.map(one => one.purl)
  expect(new Set(purls).size).toBe(purls.length)
  expect(purls.length).toBeGreaterThan(300)
  expect(purls.filter(purl => /\/(?:vitest|playwright|typescript)@/.test(purl))).toEqual([])
})

test('names licences as SPDX does, alone or together, and in words where it has no name for them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'farline-sbom-'))
  const packages = {
    '': { name: 'product', version: '1.0.0' },
    'node_modules/@a/one': { version: '1.0.0', license: '(MIT OR Apache-2.0)' },
    'node_modules/@a/one/node_modules/two': { version: '2.0.0', license: 'SEE LICENSE IN LICENSE.md' },
    'node_modules/three': { version: '3.0.0', name: 'other', optional: true, license: 'ISC' },
    'node_modules/four': { version: '4.0.0', dev: true, license: 'ISC' },
  }
  writeFileSync(
    join(directory, 'package-lock.json'),
    JSON.stringify({ name: 'product', version: '1.0.0', packages }),
  )
  const bill = JSON.parse(billOfMaterials(directory))
  rmSync(directory, { recursive: true })
  expect(bill.metadata.component).toMatchObject({ name: 'product', version: '1.0.0' })
  expect(bill.components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40a/one@1.0.0',
      group: '@a',
      name: 'one',
      version: '1.0.0',
      scope: 'required',
      licenses: [{ expression: '(MIT OR Apache-2.0)' }],
      purl: 'pkg:npm/%40a/one@1.0.0',
    },
    expect.objectContaining({ purl: 'pkg:npm/other@3.0.0', scope: 'optional' }),
    expect.objectContaining({
      purl: 'pkg:npm/two@2.0.0',
      licenses: [{ license: { name: 'SEE LICENSE IN LICENSE.md' } }],
    }),
  ])
})

test('the build writes it where the server finds it and does not serve it', async () => {
  readBuiltSite()
  expect(readFileSync(join(siteDirectory, '.server', 'sbom.cdx.json'), 'utf8')).toBe(billOfMaterials())
  const web = await createWeb({ siteDirectory, production: true })
  expect((await web.app.inject({ url: '/.server/sbom.cdx.json' })).statusCode).toBe(404)
  await web.close()
})
