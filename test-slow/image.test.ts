/** The container image: the steps of the Dockerfile are executed, and the result runs as a hardened container would. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { readPackages } from '../scripts/packages.ts'
import { thirdPartyNotices } from '../scripts/third-party-notices.ts'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { freePort } from '../test/support/free-port.ts'
import { parseDockerfile } from './support/dockerfile.ts'
import { eventually } from './support/eventually.ts'
import {
  buildImage,
  CAN_RUN_IMAGES,
  type Container,
  execImage,
  type Image,
  type Mount,
  NEEDS_NAMESPACES,
  runImage,
} from './support/image.ts'
import { packagedSuite } from './support/packaged.ts'

const ROOT = join(import.meta.dir, '..')
/** Limit for a stop. The server takes five seconds at most. Docker kills it after ten. */
const STOPS_WITHIN_MS = 9_000
const OWNER = 1000

const stages = parseDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))

test('every stage is based on the Bun version in package.json', () => {
  const [, version] = manifest.packageManager.split('@')
  const official = new RegExp(`^oven/bun:${version}(-slim)?$`)
  expect(stages.map(({ base }) => base)).toEqual(stages.map(() => expect.stringMatching(official)))
})

describe.skipIf(!CAN_RUN_IMAGES)(`the image (${NEEDS_NAMESPACES})`, () => {
  let folder: Folder
  let image: Image
  let data: string
  let volume: Mount[]
  let port: string
  let container: Container

  const settings = () => ({ PORT: port, SITE_ROOT: `http://127.0.0.1:${port}` })

  /** Runs a command beside the server, as `docker exec` does. */
  async function exec(...words: string[]) {
    const { output, errors, exited } = execImage(image, words, volume, settings())
    return { status: await exited, output: await output, errors: await errors }
  }

  beforeAll(async () => {
    folder = folderOnDisk()
    image = await buildImage(ROOT, folder.file('build'))
    data = folder.file('data')
    mkdirSync(data)
    // A container engine does this for a new named volume.
    const { uid, gid, mode } = statSync(join(image.root, 'data'))
    chownSync(data, uid, gid)
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: OWNER, gid: OWNER, mode: 0o700 })
    volume = image.volumes.map((target) => ({ source: data, target }))
    port = String(freePort())
    container = runImage(image, image.command, volume, settings())
  }, 120_000)

  afterAll(async () => {
    try {
      container.signal('SIGKILL')
    } catch {
      // It has already exited.
    }
    await container.exited
    folder.remove()
  })

  test('serves requests', async () => {
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok ?? false
    await eventually('the server is ready', isReady)
  })

  test('runs without root privileges, as a numeric user that Kubernetes can verify', () => {
    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:(\\s+${OWNER}){4}$`, 'm'))
    expect(status).toMatch(/^CapEff:\s+0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(image.user).toBe(`${OWNER}:${OWNER}`)
  })

  test('has a health check that works without a shell', async () => {
    const { status, output } = await exec(...image.healthcheck)
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('database: ok') })
  })

  test('has the command line, which creates a project whose checks can be pinged', async () => {
    const { output } = await exec('overdue', 'project', 'create', 'Jobs', '--json')
    const project = JSON.parse(output)
    const body = JSON.stringify({ slug: 'backup', unique: ['slug'] })
    const headers = { 'X-Api-Key': project.api_key }
    const made = await fetch(`http://127.0.0.1:${port}/api/v3/checks/`, { method: 'POST', headers, body })
    expect(made.status).toBe(201)
    const pinged = await fetch(`http://127.0.0.1:${port}/ping/${project.ping_key}/backup`)
    expect([pinged.status, await pinged.text()]).toEqual([200, 'OK'])
  })

  test('is read-only for the server', async () => {
    const { status, errors } = await exec('touch', '/app/x', '/tmp/x', '/home/x', '/x')
    expect(status).toBe(1)
    expect(errors.match(/Read-only file system|No such file or directory/g)).toHaveLength(4)
  })

  test('stops in time after the stop signal, with exit status 0', async () => {
    const before = performance.now()
    container.signal(image.stopSignal as NodeJS.Signals)
    expect(await container.exited).toBe(0)
    expect(performance.now() - before).toBeLessThan(STOPS_WITHIN_MS)
  })

  test('leaves only the database in its volume and logs no error', async () => {
    expect(readdirSync(data)).toEqual(['overdue.db'])
    const lines = (await container.errors).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(['ready', 'stopping', 'stopped'])
  })

  test('contains no platform-specific libraries', () => {
    const compiled = new Bun.Glob('**/*.{node,so,wasm,dylib,dll}').scanSync({ cwd: join(image.root, 'app'), dot: true })
    expect([...compiled]).toEqual([])
  })

  test('contains the program and its libraries, and no development tools', () => {
    const app = join(image.root, 'app')
    const files = [
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES', 'docs', 'node_modules', 'package.json'],
      ...['schema.sql', 'src'],
    ]
    expect(readdirSync(app).toSorted()).toEqual(files)
    const libraries = readdirSync(join(app, 'node_modules'))
    expect(libraries).toContain('elysia')
    for (const name of ['typescript', '@biomejs', 'playwright-core', 'bun', 'bun-types', '@types']) {
      expect(libraries).not.toContain(name)
    }
  })

  test('contains exactly the libraries that the SBOM lists, and their licences', () => {
    const app = join(image.root, 'app')
    const manifests = new Bun.Glob('node_modules/**/package.json').scanSync({ cwd: app, dot: true })
    const held = [...manifests].flatMap((path) => {
      // Some libraries contain folders with a package.json of their own, which aren't packages.
      if (!/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path)) return []
      const { name, version } = JSON.parse(readFileSync(join(app, path), 'utf8'))
      return [`${name} ${version}`]
    })
    const listed = readPackages(ROOT).filter(({ isProduction }) => isProduction)
    expect(held.toSorted()).toEqual(listed.map(({ name, version }) => `${name} ${version}`).toSorted())
    expect(readFileSync(join(app, 'THIRD-PARTY-NOTICES'), 'utf8')).toBe(thirdPartyNotices(ROOT))
  })

  // Runs outside the container, so that it can be called and stopped like any other program. This tests the files.
  packagedSuite('the files of the image', () => ({
    command: [process.execPath, join(image.root, 'app/src/main.ts')],
    cwd: join(image.root, 'app'),
  }))
})
