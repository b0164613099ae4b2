/**
 * Builds and runs an image without a container engine: files in a folder, programs in kernel namespaces. The base image is
 * the userland of this machine without `/usr/local`, with the Bun that runs the tests. Needs Linux and root.
 */

import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Glob } from 'bun'
import { contextFilter, type Instruction, parseDockerfile, parsePairs } from './dockerfile.ts'

/** The file system and the settings of an image. */
export interface Image {
  /** folder that is its `/` */
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
  readonly workingDirectory: string
  /** `uid:gid` */
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  /** empty when there is none */
  readonly healthcheck: readonly string[]
  readonly volumes: readonly string[]
  readonly stopSignal: string
}

export interface Container {
  /** its first process */
  readonly pid: number
  readonly output: Promise<string>
  readonly errors: Promise<string>
  readonly exited: Promise<number>
  /** Sends a signal to the first process only, as a container engine does. */
  signal(name: NodeJS.Signals): void
}

export interface Mount {
  /** a folder of this machine */
  readonly source: string
  /** path in the container, where it is writable */
  readonly target: string
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Devices that the kernel provides. They are not part of an image. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom']

/** Reason for skipping tests where {@link CAN_RUN_IMAGES} is false. */
export const NEEDS_NAMESPACES = 'skipped where this user cannot create namespaces'
export const CAN_RUN_IMAGES = ((): boolean => {
  const words = [
    'unshare',
    '--mount',
    '--pid',
    '--fork',
    '--propagation',
    'private',
    'mount',
    '-t',
    'tmpfs',
    'x',
    '/mnt',
  ]
  return process.platform === 'linux' && Bun.which('unshare') !== null && Bun.spawnSync(words).success
})()

/**
 * @param context the folder of the Dockerfile
 * @param folder an empty folder; each stage gets a subfolder
 * @throws on a step that fails or is not supported
 */
export async function buildImage(context: string, folder: string): Promise<Image> {
  const isIncluded = contextFilter(readFileSync(join(context, '.dockerignore'), 'utf8'))
  const built = new Map<string, Image>()
  let image: Image | undefined
  for (const { base, name, steps } of parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    image = built.get(base) ?? baseImage(join(folder, `stage-${built.size}`))
    for (const step of steps) image = await runStep(step, image, { context, isIncluded, built })
    built.set(name, image)
  }
  if (!image) throw new Error('the Dockerfile has no stage')
  return image
}

function baseImage(root: string): Image {
  for (const path of ['etc', 'proc', 'dev', 'usr/local/bin']) mkdirSync(join(root, path), { recursive: true })
  for (const path of userland()) mkdirSync(join(root, path))
  for (const path of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(join('usr', path), join(root, path))
  for (const name of DEVICES) writeFileSync(join(root, 'dev', name), '')
  writeFileSync(join(root, 'usr/local/bin/bun'), '')
  mkdirSync(join(root, 'tmp'))
  chmodSync(join(root, 'tmp'), 0o1777)
  return {
    root,
    environment: { PATH },
    workingDirectory: '/',
    user: '0:0',
    entrypoint: [],
    command: [],
    healthcheck: [],
    volumes: [],
    stopSignal: 'SIGTERM',
  }
}

const userland = () => readdirSync('/usr').flatMap((name) => (name === 'local' ? [] : [join('usr', name)]))

interface Build {
  readonly context: string
  readonly isIncluded: (path: string) => boolean
  readonly built: ReadonlyMap<string, Image>
}

async function runStep({ name, words, text, flags }: Instruction, image: Image, build: Build): Promise<Image> {
  switch (name) {
    case 'WORKDIR': {
      const workingDirectory = resolve(image.workingDirectory, text)
      mkdirSync(join(image.root, workingDirectory), { recursive: true })
      return { ...image, workingDirectory }
    }
    case 'COPY':
      copy(words, flags, image, build)
      return image
    case 'RUN':
      await run(text, image)
      return image
    case 'ENV':
      return { ...image, environment: { ...image.environment, ...parsePairs(text) } }
    case 'USER':
      return { ...image, user: text }
    case 'VOLUME':
      return { ...image, volumes: [...image.volumes, ...words] }
    case 'STOPSIGNAL':
      return { ...image, stopSignal: text }
    case 'ENTRYPOINT':
      return { ...image, entrypoint: words }
    case 'CMD':
      return { ...image, command: words }
    case 'HEALTHCHECK':
      return { ...image, healthcheck: JSON.parse(text.replace(/^CMD\s+/, '')) }
    case 'LABEL':
    case 'EXPOSE':
      return image
    default:
      throw new Error(`${name} is not supported`)
  }
}

/** Copies the content of a source folder, and a source file into the target when that ends with a slash. */
function copy(words: readonly string[], { from, ...others }: Instruction['flags'], image: Image, build: Build): void {
  if (Object.keys(others).length > 0) throw new Error(`COPY: unsupported flags: ${Object.keys(others).join(', ')}`)
  const stage = from === undefined ? undefined : build.built.get(from)
  if (from !== undefined && !stage) throw new Error(`COPY: there is no stage ${from}`)
  const root = stage?.root ?? build.context
  const sources = words.slice(0, -1).flatMap((word) => (word.includes('*') ? filesLike(root, word) : [word]))
  const target = join(image.root, resolve(image.workingDirectory, words.at(-1) ?? ''))
  for (const source of sources) {
    if (!stage && !build.isIncluded(source)) throw new Error(`COPY: .dockerignore excludes ${source}`)
    const path = join(root, source)
    const isInto = /(?:^|\/)\.?\/?$/.test(words.at(-1) ?? '') && lstatSync(path).isFile()
    cpSync(path, isInto ? join(target, basename(source)) : target, { recursive: true, verbatimSymlinks: true })
  }
}

/** @throws Error if there is none, as a build does */
function filesLike(root: string, pattern: string): string[] {
  const files = [...new Glob(pattern).scanSync({ cwd: root })].sort()
  if (files.length === 0) throw new Error(`COPY: no file is like ${pattern}`)
  return files
}

/** Runs a script with the network, the package manager settings and the caches of the current user. */
async function run(script: string, image: Image): Promise<void> {
  const { HOME = '/root' } = process.env
  mkdirSync(join(image.root, HOME), { recursive: true })
  const environment = { ...process.env, ...image.environment } as Record<string, string>
  const root = { ...image, environment }
  const step = spawnContainer(root, ['/bin/sh', '-c', script], {
    mounts: [{ source: HOME, target: HOME }],
    isReadOnly: false,
  })
  const output = await Promise.all([step.output, step.errors])
  const status = await step.exited
  if (status !== 0) throw new Error(`RUN ${script}: exit status ${status}\n${output.join('')}`)
}

/**
 * Starts a command as a hardened container does: a separate process tree, a read-only root and no capabilities, nor a way
 * to gain any. The network is that of this machine.
 * @param words the command after the entrypoint
 */
export function runImage(
  image: Image,
  words: readonly string[],
  mounts: readonly Mount[],
  settings: object,
): Container {
  const environment = { ...image.environment, ...settings }
  return spawnContainer({ ...image, environment }, [...image.entrypoint, ...words], { mounts, isReadOnly: true })
}

/** Like {@link runImage}, but without the entrypoint, as for `HEALTHCHECK` and `exec`. */
export function execImage(
  image: Image,
  words: readonly string[],
  mounts: readonly Mount[],
  settings: object,
): Container {
  return runImage({ ...image, entrypoint: [] }, words, mounts, settings)
}

interface ContainerOptions {
  readonly mounts: readonly Mount[]
  readonly isReadOnly: boolean
}

function spawnContainer(image: Image, words: readonly string[], { mounts, isReadOnly }: ContainerOptions): Container {
  const { root, environment, workingDirectory } = image
  const [uid = '0', gid = uid] = image.user.split(':')
  const bind = (source: string, target: string) => `mount --bind ${quote(source)} ${quote(join(root, target))}`
  const lock = (target: string) => `mount -o remount,bind,ro ${quote(join(root, target))}`
  const rights = uid === '0' ? [] : ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all']
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const program = [
    ...['chroot', root, '/usr/bin/setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...rights],
    ...['/usr/bin/env', '-i', '-C', workingDirectory, ...variables, ...words],
  ]
  const script = [
    'set -e',
    bind(root, '/'),
    ...['etc', ...userland()].flatMap((path) => [bind(join('/', path), path), lock(path)]),
    ...DEVICES.map((name) => bind(join('/dev', name), join('dev', name))),
    bind(process.execPath, 'usr/local/bin/bun'),
    `mount -t proc proc ${quote(join(root, 'proc'))}`,
    ...(isReadOnly ? [lock('/')] : []),
    ...mounts.map(({ source, target }) => bind(source, target)),
    `exec ${program.map(quote).join(' ')}`,
  ].join('\n')
  const outside = Bun.spawn(
    ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private', 'sh', '-c', script],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const inside = () => Number(readFileSync(`/proc/${outside.pid}/task/${outside.pid}/children`, 'utf8').split(' ')[0])
  return {
    get pid() {
      return inside()
    },
    output: outside.stdout.text(),
    errors: outside.stderr.text(),
    exited: outside.exited,
    signal: (name) => void process.kill(inside(), name),
  }
}

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
