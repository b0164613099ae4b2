/**
 * The content of an executable as a CycloneDX 1.6 document. Pure. Tools such as `@cyclonedx/cyclonedx-npm` don't read
 * `bun.lock`: their list has no hashes and no runtime, and contains peer dependencies that are not compiled in.
 */
import type { Package } from './packages.ts'

export interface Product {
  readonly name: string
  readonly version: string
  readonly description: string
  /** an SPDX expression */
  readonly license: string
  /** names of its direct dependencies */
  readonly dependencies: readonly string[]
  /** version of the runtime that is compiled in */
  readonly bunVersion: string
  readonly commit: string
  /** ISO time of the commit, so that the same commit gives the same document */
  readonly committedAt: string
}

/** @param packages all packages of the lock file; development tools are left out */
export function sbom(product: Product, packages: readonly Package[]): object {
  const needed = packages.filter(({ isProduction }) => isProduction)
  const direct = needed.filter(({ name }) => product.dependencies.includes(name))
  const root = purl(`${product.name}@${product.version}`)
  const bun = purl(`bun@${product.bunVersion}`)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${Bun.randomUUIDv5(`${root} ${product.commit}`, 'url')}`,
    version: 1,
    metadata: {
      timestamp: new Date(product.committedAt).toISOString(),
      component: {
        type: 'application',
        'bom-ref': root,
        name: product.name,
        version: product.version,
        description: product.description,
        ...licenses(product.license),
        purl: root,
        properties: [{ name: 'git:commit', value: product.commit }],
      },
    },
    components: [
      { type: 'platform', 'bom-ref': bun, name: 'bun', version: product.bunVersion, ...licenses('MIT'), purl: bun },
      ...needed.map(component),
    ],
    dependencies: [
      { ref: root, dependsOn: [bun, ...direct.map(refOf)] },
      { ref: bun },
      ...needed.map((item) => ({ ref: refOf(item), dependsOn: item.needs.map(purl) })),
    ],
  }
}

function component(item: Package): object {
  const [scope, inner] = item.name.split('/')
  const named = inner === undefined ? { name: item.name } : { group: scope, name: inner }
  const sha512 = /^sha512-(.+)$/.exec(item.integrity)?.[1]
  const hashes = sha512 && [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }]
  return {
    type: 'library',
    'bom-ref': refOf(item),
    ...named,
    version: item.version,
    ...(hashes ? { hashes } : {}),
    ...licenses(item.installed?.licence ?? ''),
    purl: refOf(item),
  }
}

function refOf({ name, version }: Package): string {
  return purl(`${name}@${version}`)
}

/** @param id `@scope/name@version`; https://github.com/package-url/purl-spec requires the scope's `@` to be encoded */
function purl(id: string): string {
  return `pkg:npm/${id.replace(/^@/, '%40')}`
}

/** @param expression an SPDX expression; '' when the licence is not known */
function licenses(expression: string): object {
  if (expression === '') return {}
  const isSingle = /^[\w.+-]+$/.test(expression)
  return { licenses: [isSingle ? { license: { id: expression } } : { expression }] }
}
