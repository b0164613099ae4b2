import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Package, readPackages } from '../../scripts/packages.ts'
import { type Product, sbom } from '../../scripts/sbom.ts'

const ROOT = join(import.meta.dir, '../..')
const INTEGRITY = `sha512-${Buffer.from('a'.repeat(64)).toString('base64')}`

const PRODUCT: Product = {
  name: 'overdue',
  version: '1.2.3',
  description: 'monitors jobs',
  license: 'MIT',
  dependencies: ['web', '@scope/mail'],
  bunVersion: '1.4.5',
  commit: 'c0ffee',
  committedAt: '2026-11-21T20:00:00+02:00',
}

function aPackage(name: string, version: string, over: Partial<Package> = {}, licence = 'MIT'): Package {
  const installed = { version, licence, author: '', installScripts: [], texts: [] }
  return { name, version, integrity: '', registry: '', isProduction: true, needs: [], installed, ...over }
}

const PACKAGES = [
  aPackage('web', '1.0.0', { integrity: INTEGRITY, needs: ['tool@2.5.0', '@scope/mail@2.0.0'] }, '(MIT OR ISC)'),
  aPackage('tool', '2.5.0', { installed: null }),
  aPackage('@scope/mail', '2.0.0', { needs: ['tool@2.5.0'] }),
  aPackage('lint', '9.0.0', { isProduction: false }),
]

interface Bom {
  serialNumber: string
  metadata: { timestamp: string }
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

const made = (product = PRODUCT, packages = PACKAGES) => sbom(product, packages) as Bom

describe('the SBOM', () => {
  test('lists the runtime and every package of the program, with hash and licence where they are known', () => {
    const library = { type: 'library' }
    const tool = 'pkg:npm/tool@2.5.0'
    expect(made().components).toEqual([
      expect.objectContaining({ type: 'platform', 'bom-ref': 'pkg:npm/bun@1.4.5' }),
      {
        ...library,
        'bom-ref': 'pkg:npm/web@1.0.0',
        name: 'web',
        version: '1.0.0',
        hashes: [{ alg: 'SHA-512', content: '61'.repeat(64) }],
        licenses: [{ expression: '(MIT OR ISC)' }],
        purl: 'pkg:npm/web@1.0.0',
      },
      { ...library, 'bom-ref': tool, name: 'tool', version: '2.5.0', purl: tool },
      {
        ...library,
        'bom-ref': 'pkg:npm/%40scope/mail@2.0.0',
        group: '@scope',
        name: 'mail',
        version: '2.0.0',
        licenses: [{ license: { id: 'MIT' } }],
        purl: 'pkg:npm/%40scope/mail@2.0.0',
      },
    ])
  })

  test('lists the dependencies of each component', () => {
    const mail = 'pkg:npm/%40scope/mail@2.0.0'
    expect(made().dependencies).toEqual([
      { ref: 'pkg:npm/overdue@1.2.3', dependsOn: ['pkg:npm/bun@1.4.5', 'pkg:npm/web@1.0.0', mail] },
      { ref: 'pkg:npm/bun@1.4.5' },
      { ref: 'pkg:npm/web@1.0.0', dependsOn: ['pkg:npm/tool@2.5.0', mail] },
      { ref: 'pkg:npm/tool@2.5.0', dependsOn: [] },
      { ref: mail, dependsOn: ['pkg:npm/tool@2.5.0'] },
    ])
  })

  test('is identical for the same commit and differs for another', () => {
    expect(made()).toEqual(made())
    expect(made().metadata.timestamp).toBe('2026-11-21T18:00:00.000Z')
    expect(made({ ...PRODUCT, commit: 'decade' }).serialNumber).not.toBe(made().serialNumber)
  })

  test('of this program lists each dependency, no development tool, and no reference to an unknown component', async () => {
    const { default: manifest } = await import('../../package.json')
    const dependencies = Object.keys(manifest.dependencies)
    const bom = made({ ...PRODUCT, dependencies }, readPackages(ROOT))
    const known = new Set(bom.components.map((item) => item['bom-ref']))
    const direct = Object.entries(manifest.dependencies).map(
      ([name, version]) => `${name.replace('@', '%40')}@${version}`,
    )
    expect(direct.filter((id) => !known.has(`pkg:npm/${id}`))).toEqual([])
    expect([...known].filter((ref) => /typescript|biome|fast-check|playwright/.test(ref))).toEqual([])
    expect(bom.dependencies.flatMap(({ dependsOn = [] }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([])
  })
})
